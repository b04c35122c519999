"""What deserves to be remembered: a clause becomes a fact unless it is small talk, a mood, a supposition or empty."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re

from arandu_lab.llm.rules import lexicon_en, lexicon_pt
from arandu_lab.llm.rules.clauses import Clause
from arandu_lab.llm.rules.deaths import died
from arandu_lab.llm.rules.language import Language
from arandu_lab.llm.rules.slots import Slot
from arandu_lab.pure.text import STOP, fold

_TALK = {
    "en": frozenset(
        "know see mean agree understand say tell ask wonder thank guess suppose bet promise hear remember forget imagine feel sound seem "
        "look appear mind care hope wish wait let need matter happen apologise apologize swear laugh love like get think believe try "
        "admit repeat joke check doubt trust appreciate miss complain argue".split()
    ),
    "pt": frozenset(
        "saber ver achar entender dizer falar perguntar agradecer imaginar lembrar esquecer sentir parecer esperar querer poder dever "
        "acreditar jurar rir adorar amar gostar tentar concordar pedir avisar contar ouvir duvidar confiar reclamar aguentar suportar".split()
    ),
}
_EMPTY = frozenset(
    """it that this them him her one ones thing things stuff something anything everything nothing lot lots bit way
    really so too very
much more now then here there all again ever never always still just back up down out in on off over about sure fine good great nice bad well okay ok
able kind sort time day today tonight moment man god got get getting have has had is be been being was do does did make made go going went come take
put say said know think see look feel want need let keep isso aquilo isto coisa coisas algo nada tudo bem mal assim aqui ali la ai agora hoje vez tempo
ser estar ter ir fazer dar ficar vai vou foi e esta tem faz deu disse quer pode sabe muito mais demais mesmo sempre nunca jamais ainda ja dia""".split()
)
_MOOD = re.compile(
    r"^(?:is|are|was|were|feels?|felt|am|has been|looks|seems|sounds)(?: \w+ly| so| very| too| really| just| still| a bit| pretty| quite| all| not)*"
    r" (?:happy|sad|tired|exhausted|excited|sorry|glad|sure|fine|good|okay|ok|proud|angry|frustrated|annoyed|upset|worried|nervous|scared|bored|"
    r"jealous|grateful|thankful|ready|curious|confused|lost|alone|lonely|here|back|there|late|early|busy|free|kidding|joking|serious|impressed|"
    r"surprised|shocked|speechless|afraid|right|wrong|aware|done|stuck|broke|fuming|jet-lagged|available|certain|convinced|disappointed|"
    r"crying|laughing|dying|blushing|thrilled|delighted|overwhelmed|stressed|relieved|hungry|thirsty|cold|hot|awake|asleep|home|on it|"
    r"losing it|trying|waiting|listening|talking|saying|asking|wondering|thinking|hoping|amazing|awesome|great|beautiful|lovely|perfect)\b[^,]{0,40}$",
    re.IGNORECASE,
)
_HUMOR = re.compile(
    r"^(?:não )?(?:está|estou|é|ficou|fica|anda|estava|sente-se|se sente|tá)(?: muito| tão| super| meio| bem| mais| só| um pouco)*"
    r" (?:feliz|triste|cansad[oa]|exaust[oa]|animad[oa]|content[ea]|bem|mal|bom|boa|ok|brav[oa]|frustrad[oa]|irritad[oa]|chatead[oa]|preocupad[oa]|"
    r"nervos[oa]|assustad[oa]|entediad[oa]|grat[oa]|pront[oa]|curios[oa]|confus[oa]|perdid[oa]|sozinh[oa]|aqui|atrasad[oa]|ocupad[oa]|livre|"
    r"brincando|falando sério|impressionad[oa]|surpres[oa]|chocad[oa]|cert[oa]|errad[oa]|morrendo|rindo|chorando|ansios[oa]|aliviad[oa]|com fome|"
    r"com sede|com sono|com saudade\w*|indo|acordad[oa]|em casa|lascad[oa]|lind[oa]|apaixonad[oa]|esperando|tentando|ouvindo|pensando|orgulhos[oa])"
    r"\b[^,]{0,40}$",
    re.IGNORECASE,
)
_WOULD = re.compile(
    r"^(?:\w+ly |not |never )?(?:would|could|should|must|shall)\b(?! (?:like|love|rather|prefer) )", re.IGNORECASE
)
_PODERIA = re.compile(
    r"^(?:não |se )?(?:poderia|deveria|teria|seria|faria|iria|adoraria|daria|gostaria de saber)\b", re.IGNORECASE
)
_ABLE = re.compile(r"^(?:can|cannot even|could|am able|is able|was able|consegue|pode) ", re.IGNORECASE)
_VAGUE = re.compile(
    r"\b(?:it|him|them|this|that|there|one|something|anything|isso|isto|aquilo|lá|algo|desse|disso|nisso)\b",
    re.IGNORECASE,
)
_FIXED = frozenset(
    "works_at lives_in has_role from studies_at spouse partner ex_partner child parent sibling boss pet allergy diet birthday age name "
    "health".split()
)


_REFRAINS = re.compile(
    r"^(?:does not|no longer|never|não|nunca) (?:even |really |mais )?(?P<verb>[a-zà-ú]{3,})(?: (?:any ?more|mais|at all|direito))?$",
    re.IGNORECASE,
)


def lemma_of(predicate: str) -> str:
    """The verb of a bare negation: ``does not swim`` -> ``swim``."""
    match = _REFRAINS.match(predicate)
    word = match["verb"].lower() if match else ""
    return lexicon_pt.lemma(word) if word in lexicon_pt.forms() else lexicon_en.lemma(word)


def worth(clause: Clause, slot: Slot, language: Language) -> bool:
    """Whether a clause is a fact."""
    predicate = clause.predicate
    words = list(re.findall(r"\w+", fold(predicate)))
    own = set(re.findall(r"\w+", fold(clause.subject.text)))
    content = [word for word in words if word not in STOP and word not in _EMPTY and word not in own and len(word) > 1]
    if not set(content) - _NAMING:  # nothing, or no more than the name: Mia is called Mia
        return False
    if (_WOULD if language == "en" else _PODERIA).search(predicate):
        return False
    if clause.conditional:
        return False
    if (_MOOD if language == "en" else _HUMOR).search(predicate) and slot.name in (
        "other",
        "plan",
        "likes",
        "lives_in",
        "age",
    ):
        return False
    if died(clause) or (slot.name in _FIXED and slot.value):
        return True
    if slot.name in ("other", "partner") and _ASIDE[language].search(predicate):
        return False
    if slot.name in ("other", "event", "owns", "likes", "habit") and _CHATTER.search(predicate):
        return False
    speaker = clause.subject.kind == "speaker"
    if _REFRAINS.match(predicate) and clause.verb not in _TALK[language] and lemma_of(predicate) not in _TALK[language]:
        return True
    if clause.verb in _TALK[language] and speaker and slot.name == "other":
        return False
    if slot.name in ("likes", "dislikes") and all(
        word in STOP | _EMPTY or word in _PRAISE for word in re.findall(r"\w+", fold(slot.value))
    ):
        return False
    if (
        slot.name in ("other", "plan", "project", "owns", "hobby")
        and _VAGUE.search(predicate if len(content) < 5 else predicate.replace(" there", ""))
        and not re.search(r"\d|(?<=\s)[A-ZÀ-Ý][a-zà-ÿ]", predicate)
    ):
        return False
    if slot.name == "other" and _ABLE.match(predicate) and speaker:
        return False
    if clause.subject.kind == "thing" and not re.search(r"(?<=\s)[A-ZÀ-Ý]", f" {clause.subject.entity}"):
        return False
    if slot.name == "other":
        if clause.subject.kind == "thing":
            return bool(re.search(r"\d|[A-ZÀ-Ý]", predicate)) or len(content) >= 3
        return len(content) >= 2
    return True


_CHATTER = re.compile(
    r"\b(?:mensage(?:m|ns)|figurinhas?|áudios?|emojis?|fio da meada|tudo torto|digit\w+|corretor|notificaç\w+|messages?|stickers?|typos?|autocorrect|typing|scroll\w*|thread|notifications?|"
    r"emoji|link|screenshots?|não esperava|did not (?:see that coming|expect that))\b",
    re.IGNORECASE,
)
"""Talk about the talk itself."""
_ASIDE = {
    "en": re.compile(
        r"^(?:\w+ly |also |still )?(?:is|was|were|has been)(?: \w+ly| still| just)* (?:the (?:size|colour|color|shape|picture|definition) of|\w+ parts |concerned\b|essentially|"
        r"technically|practically|partly|like |seeing someone|(?:looking|typing|doing|being|sitting|standing|holding|lying|hiding|leaning|blinking|"
        r"staring|joking|shaking|getting blamed)\b)|^(?:was|were) \w+ing\b|^(?:smells?|feels?|looks?|sounds?|smelled|felt) (?:like|of)\b|"
        r"^(?:quotes?|says hello)\b|^has (?:no|not got) (?:further )?(?:comment|idea|clue|words)\b",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        r"^(?:quer é |mente\b|mentiu\b|estava \w+ndo\b|tinha \w+ndo\b|está(?: só| aqui)? (?:olhando|rindo|digitando|sentad[oa]|parad[oa]|deitad[oa])|vai falar\b|"
        r"fica até sem jeito|parece\b|deixa passar)",
        re.IGNORECASE,
    ),
}
_NAMING = frozenset("called named name names call calls chama chamam chamada chamado chamava nome".split())
_PRAISE = frozenset(
    "idea ideia sound day way part look photo picture pic foto news noticia hear hearing see seeing guys gente you".split()
)
