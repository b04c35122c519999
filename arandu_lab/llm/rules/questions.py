"""Answers of less than a sentence: *What are you allergic to, Theo?* — *Only aspirin.* states what the question asked for."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from arandu_lab.llm.rules import lexicon_en, lexicon_pt, stated_en, stated_pt
from arandu_lab.llm.rules.asides import placelike
from arandu_lab.llm.rules.discourse import Discourse
from arandu_lab.llm.rules.language import Language
from arandu_lab.llm.rules.names import full_forms, is_first_name
from arandu_lab.llm.rules.sayings import say
from arandu_lab.llm.rules.stated import Stated
from arandu_lab.llm.rules.trades import is_diet
from arandu_lab.pure.text import fold

_ASKED: dict[Language, tuple[tuple[str, str], ...]] = {
    "en": (
        ("birthday", r"\bbirthday|\bwhat (?:day|date) (?:were|was) \w+ born|\bwhen (?:were|was) \w+ born|\bcandles\b|date of birth"),
        ("age", r"\bhow old\b"),
        ("allergy", r"\ballerg|\breact (?:badly )?to\b"),
        ("pet", r"\bpets?\b(?! (?:hate|peeve))|\banimals?\b|\bfurry\b|\bfeathery\b|\b(?:have|got|get) an? (?:dog|cat)\b"),
        ("language", r"\blanguages?\b|\btongues?\b|\bwhat do(?:es)? \w+ speak\b|\bspeak any\b"),
        ("lives_with", r"\b(?:live|living|lives|stay|move in) with\b|\b(?:flat|house|room)[- ]?mates?\b|\bshar(?:e|ing) (?:your|a|the|an) (?:flat|house|place|home|apartment)\b|\bwho shares? (?:your|a)\b|\bliving alone\b|\blive alone\b|same roof"),
        ("boss", r"\bboss\b(?! at yours)|\bmanager\b|\breport to\b|\bsupervisor\b|\borders\b|\banswer to\b|\bin charge of you\b"),
        ("sibling", r"\bsiblings?\b|\bbrothers?\b|\bsisters?\b|\bonly child\b"),
        ("child", r"\bkids?\b|\bchildren\b|\blittle ones?\b|\b(?:a|any) (?:sons?|daughters?)\b|\bare you a (?:parent|mum|mom|dad|mother|father)\b"),
        ("partner", r"\b(?:seeing|dating) (?:anyone|anybody|someone)\b|\bdating\b|\bgoing out with\b|\b(?:some|any)one special\b|\bspecial (?:some|any)one\b|\blove in your life\b|\bin your love\b|\b(?:boy|girl)friend\b|\byour (?:partner|other half|sweetheart)\b|\blucky (?:one|guy|girl)\b|\blove life\b|\bin a relationship\b"),
        ("friend", r"\bfriends?\b|\bmates?\b|\bhang(?:ing)? out with\b|\bbuddy\b|\bpals?\b"),
        ("project", r"\bproject\b|\bworking on\b|\bon your (?:desk|plate)\b"),
        ("member_of", r"\bmember\b|\bclubs?\b|\bgroups?\b|\bbelong\b|\bsociet(?:y|ies)\b|\bassociation\b"),
        ("hobby", r"\b(?:free|spare) time\b|\bhobb(?:y|ies)\b|\bunwind\b|\bpastimes?\b|\bfor fun\b|\bday off\b|\bto relax\b|\bswitch off\b"),
        ("works_at", r"\bwhere\b[^?]*\bwork\w*|\b(?:who|which company|what company|whom)\b[^?]*\bwork\w* (?:for|at)\b|\bwhich (?:company|firm)\b|\bemployer\b|\bwho pays you\b"),
        ("has_role", r"\bfor a living\b|\bjob\b|\bline of (?:work|business)\b|\bearn your (?:living|crust|bread)\b|\bprofession\b|\boccupation\b|\bwhat do you do\b|\bwork as\b|\btrade\b"),
        ("studies_at", r"\bwhere\b[^?]*\bstud\w+"),
        ("studies", r"\bstudy\w*\b|\bdegree\b|\bcourse\b|\bmajor\b|\bsubject\b"),
        ("diet", r"\bdiet\w*\b|\bhow do you eat\b|\bcook for you\b|\bspecial diet\b|\beat (?:meat|everything)\b|\bfood[- ]wise\b"),
        ("dislikes", r"\b(?:can(?:no|')?t|cannot|can not) (?:you )?(?:stand|bear)\b|\byou hate\b|\bputs? you off\b|\bdislike\b|\bdetest\b|\bloathe\b|\b(?:foods?|things?) (?:do )?you avoid\b|\bturns? you off\b|\bpet (?:peeve|hate)\b|\bdrives? you (?:mad|crazy|nuts)\b|\bleast (?:favou?rite|like)\b"),
        ("likes", r"\blove (?:most|best)\b|\blike (?:most|best)\b|\bfavou?rite\b|\bfan of\b|\breally (?:like|love)\b|\bgood mood\b|\byour passion\b|\bmakes? you (?:happy|smile)\b|\bbrings? you joy\b|\byou (?:adore|enjoy)\b|\binto these days\b|\bcan't get enough\b"),
        ("owns", r"\bpossession\b|\byou own\b|\bnever lend\b|\bprized\b"),
        ("health", r"\bhealth\b|\bwhat(?:'s| is) wrong\b|\bdoctor\b|\bunder the weather\b|\bail(?:s|ing) you\b|\bhurt(?:s|ing)?\b|\bin pain\b|\bsymptoms?\b|\bbothering you\b|\bfeeling (?:ill|sick|unwell|okay|ok)\b|\bill\b|\bailment"),
        ("from", r"\bwhere\b[^?]*\bfrom\b|\bgrow up\b|\bhome ?town\b|\bwhere (?:were|was) \w+ born\b"),
        ("lives_in", r"\bwhere\b[^?]*\b(?:live|living|lives|moving|based|home|settled)\b|\bcity\b|\bcall home\b"),
    ),
    "pt": (
        ("birthday", r"\banivers[áa]rio\b|\bfaz anos\b|\bvelinhas\b|\bque dia (?:você |vc |cê )?nasceu\b|\bquando (?:você |vc |cê )?nasceu\b"),
        ("age", r"\bquantos anos\b|\bqual (?:a|é a) (?:sua|tua) idade\b"),
        ("allergy", r"\bal[ée]rgi"),
        ("pet", r"\bbichos?\b|\bpets?\b|\banima(?:l|is)\b|\b(?:tem|cria) (?:algum |um |uma )?(?:cachorr\w|gat\w)\b"),
        ("language", r"\blínguas?\b|\bidiomas?\b"),
        ("lives_with", r"\bmora com\b|\bdivid\w+ (?:a |o |tua |sua )?(?:casa|apê|apartamento|teto)\b|\bcom quem (?:você|vc|cê|tu) mora\b|\bmora sozinh\w\b"),
        ("boss", r"\bchef[ei]\w*\b|\bsuperior\b|\bcoordenador\w?\b|\bmanda em\b|\bresponde (?:a|pra|para) quem\b|\bsupervisor\w?\b|\bgerente\b"),
        ("sibling", r"\birm(?:ão|ã|ãos|ãs)\b|\bpai e mãe com\b"),
        ("child", r"\bfilh[oa]s?\b|\bcrianças?\b"),
        ("partner", r"\bnamor\w+\b|\b(?:seu|teu|sua|tua) (?:amor|paquera|cara metade)\b|\bsolteir\w\b|\bficando com\b"),
        ("friend", r"\bamizades?\b|\bamig[oa]s?\b|\bparceir\w de\b"),
        ("project", r"\bprojetos?\b"),
        ("member_of", r"\bgrupos?\b|\bclubes?\b|\bturma\b|\bassociaç\w+\b|\bmembro\b|\bcoletivo\b"),
        ("has_role", r"\bprofiss\w+\b|\bfaz (?:o quê |o que )?da vida\b|\btrabalha (?:com|de|como) (?:o )?qu[êe]\b|\bcargo\b|\bfunção\b|\bofício\b|\bganha a vida\b"),
        ("works_at", r"\btrabalh\w+ onde\b|\bonde\b[^?]*\btrabalh\w+|\bemprego\b|\btrabalha\b|\btrabalhando\b|\bempresa\b|\bfirma\b"),
        ("studies_at", r"\bestud\w+ onde\b|\bonde\b[^?]*\bestud\w+"),
        ("studies", r"\bestud\w+\b|\bcurso\b|\bmatéria\b|\bfaculdade\b|\bcursa\b|\bgraduação\b"),
        ("diet", r"\bdieta\b|\balimentação\b|\bna mesa\b|\bcome carne\b|\bveg\w+\b|\balimenta\b|\brestrição alimentar\b"),
        ("hobby", r"\bhobb(?:y|ies)\b|\bhoras vagas\b|\bdistra\w+\b|\btempo livre\b|\bpassatempo\b|\bfolgas?\b|\brelaxar\b|\bse diverte\b"),
        ("health", r"\bsaúde\b|\bsentindo\b|\bmédic\w\b|\bdoente\b|\bo que (?:você|cê|vc) tem\b"),
        ("dislikes", r"\bnão (?:suporta|gosta|aguenta|curte|tolera)\b|\bodeia\b|\bdetesta\b|\btira do sério\b|\bnem pagando\b|\bnão engole\b|\bte dá nos nervos\b|\bpega ranço\b|\birrita\b"),
        ("likes", r"\bgosta\b|\bconquista\b|\bpaixão\b|\badora\b|\bfavorit\w\b|\bte (?:faz|deixa) feliz\b|\bte alegra\b|\bte encanta\b|\bpreferid\w\b|\b(?:você|cê|vc) ama\b|\bfã de\b|\bcurte\b"),
        ("owns", r"\bxodó\b|\bbem seu\b|\bnão empresta\w*\b|\bpossui\b|\bmais precios\w\b"),
        ("from", r"\bde onde\b|\bnatural\b|\bnasceu onde\b|\bonde (?:você |cê |vc )?nasceu\b|\bcidade natal\b|\bde que (?:cidade|lugar|estado) (?:você|cê|vc|tu)\b"),
        ("lives_in", r"\bmora\w*\b|\bcasa\b|\bcidade\b|\bvivendo\b"),
    ),
}  # fmt: skip
_YOU = re.compile(r"\b(?:you|your|yours|você|voce|vc|tu|teu|tua|te|cê|seu|sua)\b", re.IGNORECASE)
_PEOPLE = frozenset("partner boss friend sibling child lives_with".split())
_NAMES = _PEOPLE | frozenset("works_at lives_in from studies_at member_of project pet".split())


@cache
def _compiled(language: Language) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((slot, re.compile(pattern, re.IGNORECASE)) for slot, pattern in _ASKED[language])


def asks(question: str, language: Language) -> str:
    """The attribute that a question asks for, or nothing.

    >>> asks("what are you allergic to, Theo?", "en"), asks("Bia, você mora com quem?", "pt"), asks("really?", "en")
    ('allergy', 'lives_with', '')
    """
    return next((slot for slot, pattern in _compiled(language) if pattern.search(question)), "")


def answered(text: str, whole: str, recent: Sequence[str], discourse: Discourse) -> Stated | None:
    """What a fragment states as the answer to the last turn's question, or None where it is none. ``whole`` is the sentence with
    what was taken off its front.
    """
    if not recent or not text or len(text.split()) > 11 or _SMALL_TALK.match(whole):
        return None
    who, _, said = recent[-1].partition(": ")
    said = said or recent[-1]
    if fold(who) == fold(discourse.speaker):
        return None
    question = _question(said)
    subject = _asked_of(question, discourse) if question else ""
    slot = asks(question, discourse.language) if subject else ""
    if not slot:
        return None
    value, kind = _answer(text, slot, discourse.language)
    if not value or fold(value) == fold(subject):
        return None
    said = say(slot, subject, value, discourse.language, kind=kind)
    return Stated(subject, slot, value, said, 0, len(text), False, kind)


_SMALL_TALK = re.compile(
    r"^(?:so (?:true|be it|what)|that (?:emoji|made)|no (?:way|comment|worries|rush|problem)|great minds|one of those|much appreciated|que (?:nada|isso)|nem eu|eu também|me too|same here)\b",
    re.IGNORECASE,
)
_BIDS = re.compile(
    r"^(?:name|tell me|tell us|remind me|me (?:diz|diga|fala|conta|lembra)|diz|diga|fala|conta|cite)\b", re.IGNORECASE
)


def _question(said: str) -> str:
    """The questions of a message: all to its last question mark, or a request to name something."""
    if "?" in said:
        return said[: said.rindex("?") + 1].rsplit(". ", 1)[-1]
    bare = re.sub(rf"^{stated_en.NAME}, ", "", said.strip())
    return bare if _BIDS.match(bare) else ""


def _asked_of(question: str, discourse: Discourse) -> str:
    """Whom the question is about: the speaker who answers, or somebody it names."""
    speaker = discourse.speaker
    called = re.search(rf"(?:^|, )({stated_en.NAME})(?=[,?.!]|$)", question)
    own = {fold(speaker), fold(speaker).split()[0], *full_forms(speaker.split()[0])}
    if called and is_first_name(called[1].split()[0]):
        first = fold(called[1]).split()[0]
        near = first in own or bool(full_forms(first) & own) or any(first[:3] == name[:3] for name in own)
        if not near:
            return ""
        return speaker
    if _YOU.search(question):
        return speaker
    asked = [person for person in discourse.people if re.search(rf"\b{re.escape(person.name)}\b", question)]
    if asked:
        return asked[-1].name
    if re.search(
        r"\b(?:he|she|his|her|ele|ela|dele|dela|(?:that|this) (?:guy|man|woman|girl|boy|lady)|ess[ea] (?:rapaz|moç[oa]|cara|menin[oa]|homem|mulher|garot[oa]|figura))\b",
        question,
        re.IGNORECASE,
    ):
        return discourse.people[-1].name if discourse.people else ""
    return speaker if called or not re.search(r"\b(?:they|eles|elas)\b", question) else ""


# the answer ---------------------------------------------------------------------------------------------------------

_LEAD: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"^(?:(?:well|um+|hm+|oh|ah|yes|yep|yeah|yup|aye|sure|no|nope|not alone|easy|honestly|actually|just|only|mostly|mainly|probably|definitely|currently|nowadays|these days|at the moment|right now|for now|simple|"
        r"it is|that is|that would be|that has got to be|that has to be|that must be|that will be|it would be|got to be|has to be|has got to be|must be|there is|I would say|I am|I have|I have got|I do|nothing \w+|good old|a (?:fair |good |little )?bit of|lots of|a member of|always|still|over (?:in|at)|in|at|from|to|on|with|by|for|of|my (?:good |best )?(?:friend|mate|boss|flatmate|manager|wife|husband|partner|girlfriend|boyfriend))(?:[,:]\s*|\s+))+(?=\S)",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        r"^(?:(?:ah|ué|uai|olha|bom|bem|então|hm+|sim|não|tenho sim|tenho|tem|é|são|seria|tá|está|por enquanto|no momento|atualmente|hoje|agora|só|apenas|acho que|que eu saiba|com certeza|estou é com|estou com|estou é|estou|tô com|tô|sou|faço parte|natural|basicamente|principalmente|ainda|sempre|lá|"
        r"com|em|na|no|nas|nos|de|da|do|das|dos|a|o|as|os|ao|à|às|aos|pra|para|dia|meu|minha|(?:meu|minha) (?:grande |melhor )?(?:amig[oa]|chef[ea]|irmão|irmã|filh[oa]|namorad[oa]|parceir[oa]))(?:[,:]\s*|\s+))+(?=\S)",
        re.IGNORECASE,
    ),
}
_NO = {
    "en": re.compile(
    r"^(?:(?:yes|yep|yeah|sure|ok)[.!]?$|no|nope|none|nothing|nobody|no one|not (?:really|sure|at all|yet)|never|dunno|no idea|no clue|why|who knows|guess|good question|let me think|beats me|do not ask|don't ask|long story|it depends|depends|same|wow|ha+|lol|really|sorry|thanks|thank you|fair enough|tell me|great|nice|cool|deal|hello|hey|hi|ok|okay|famous|time|so true|never a|ding|yo)\b", re.IGNORECASE),
    "pt": re.compile(r"^(?:sim[.!]?$|não|nada|nenhum\w*|ninguém|nunca|sei lá|boa pergunta|depende|por qu[eê]|adivinha|nem sei|deixa eu|tanto faz|same|wow|ha+|lol|really|sorry|thanks|thank you|fair enough|tell me|great|nice|cool|deal|hello|hey|hi|ok|okay|famous|time|so true|never a|"
    r"obrigad\w|valeu|desculpa|nossa|oi|olá|legal|beleza|verdade|pois é|que (?:legal|bom|pena)|calma|jura|sério|imagina|claro|tchau|até|boa|bom dia)\b",
    re.IGNORECASE),
}  # fmt: skip
_VERBAL = {
    "en": re.compile(r"\b(?:I|you|we|they|he|she|it|that|this|is|are|was|were|am|do|does|did|have|has|had|will|would|can|could|should|let)\b", re.IGNORECASE),
    "pt": re.compile(r"\b(?:eu|você|vocês|isso|isto|ele|ela|eles|foi|era|vai|vou|está|estou|tenho|tem|quero|acho|sei|pode|que|quem)\b", re.IGNORECASE),
}  # fmt: skip
_PET_WORD = {
    "en": stated_en.PET,
    "pt": stated_pt.PET,
}
_KIN_WORD = {
    "en": r"(?P<k>(?:(?:little|big|older|younger|twin) )?(?:brother|sister|twin|son|daughter|boy|girl|kid|baby))",
    "pt": r"(?P<k>irmão|irmã|mano|mana|filh[oa]|menin[oa]|bebê|gême[oa])",
}


def _answer(text: str, slot: str, language: Language) -> tuple[str, str]:
    """(value, kind) that a fragment gives for an attribute; empty where it gives none."""
    if slot == "birthday":
        date = _date(text, language)
        return (date, "") if date and len(text.split()) <= 9 else ("", "")
    if slot == "age":
        years = re.match(
            r"^(?:(?:I am|tenho|fiz|just turned|turned|só|only) )?(\d{1,3})(?=$|[.,;!]| anos| years)",
            text,
            re.IGNORECASE,
        )
        return (years[1] if years else "", "")
    if _NO[language].match(text) and not re.match(
        r"^(?:no|nope|não|nothing|nada|claro|never|nunca|não sozinh\w)[,:]|^(?:nothing|nada) (?:dramatic|serious|big|grave|sério|demais)",
        text,
        re.IGNORECASE,
    ):
        return "", ""
    kind = ""
    words = _PET_WORD[language] if slot == "pet" else _KIN_WORD[language] if slot in ("sibling", "child") else ""
    if words:
        found = re.search(rf"\b{words}\b", text, re.IGNORECASE)
        kind = found["k"].lower() if found else ""
    bare = _LEAD[language].sub("", text)
    if slot in _NAMES:
        return _name(bare if slot != "project" else text, slot, language), kind
    return _noun(bare, slot, language), ""


def _name(text: str, slot: str, language: Language) -> str:
    """The name a fragment gives: its first run of capitals that is no opening word."""
    for match in re.finditer(stated_en.PROPER, text):
        name = re.sub(
            r"^(?:The|A|An|O|Os|As|Um|Uma|Na|No|Em|De|Da|Do|Com|Ao|À|My|Meu|Minha|Just|Yes|Sim|Well|With|In|At|On) (?=\w)",
            "",
            match[0],
        )
        first = fold(name).split()[0]
        common = lexicon_en.COMMON if language == "en" else lexicon_pt.COMMON
        if (first in common and " " not in name) or first in _CALENDAR:
            continue
        if slot in ("lives_in", "from") and not placelike(name):
            return ""
        if slot in _PEOPLE and match.start() and _VERBAL[language].search(text[: match.start()]):
            return ""
        project = slot == "project" and language == "en" and text[: match.start()].lower().endswith("the ")
        return f"the {name}" if project else name
    return ""


_CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday segunda terca quarta quinta sexta sabado domingo".split()
)


def _noun(text: str, slot: str, language: Language) -> str:
    """The first piece of a fragment, if it can be a value: a few words without a verb."""
    piece = re.split(
        r"[,;:.!?()…—–]| - | (?:and nothing but|or so|as it happens|last time|every time|most of|para|pra|e não|e nada|e de mais|de carteirinha|de profissão|nas horas|com certeza)\b",
        text,
        maxsplit=1,
    )[0].strip(" '\"“”")
    piece = re.sub(
        r"^(?:an?|the|my|some|any|um curso de|uma?|meus?|minhas?|[oa]s?) (?=\w)", "", piece, flags=re.IGNORECASE
    ).strip()
    words = fold(piece).split()
    if (
        not words
        or len(words) > 5
        or _VERBAL[language].search(piece)
        or _NO[language].match(piece)
        or "nao" in words
        or "not" in words
    ):
        return ""
    if slot == "diet":
        return piece.lower() if is_diet(words) else ""
    roles = lexicon_en.ROLES if language == "en" else lexicon_pt.ROLES
    if slot == "has_role" and not (any(word in roles for word in words) or re.match(r"^an? ", text) or len(words) <= 2):
        return ""
    if len(words) == 1 and slot != "language" and is_first_name(words[0]) and piece[:1].isupper() and slot != "likes":
        return ""
    return (
        piece if slot == "language" or not piece[:1].isupper() or piece[1:2].isupper() else piece[0].lower() + piece[1:]
    )


def _date(text: str, language: Language) -> str:
    if language == "en":
        found = re.search(stated_en.DATE, text, re.IGNORECASE)
    else:
        found = re.search(
            r"(?P<v>(?:\d{1,2}º?|primeiro) de (?:janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro))",
            text,
            re.IGNORECASE,
        )
    return found["v"] if found else ""
