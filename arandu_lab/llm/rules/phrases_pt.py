"""Portuguese noun phrases and the finite verbs they meet: who a clause is about."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

from collections.abc import Sequence

from arandu_lab.llm.rules import lexicon_pt as lex
from arandu_lab.llm.rules.clauses import Subject
from arandu_lab.llm.rules.discourse import Discourse
from arandu_lab.llm.rules.mentions import Mention
from arandu_lab.llm.rules.tokens import Token

ADVERBS = frozenset(
    "não nao nunca já ja também tambem só so ainda sempre quase até ate agora hoje ontem amanhã amanha anteontem aí ai aqui lá la "
    "realmente finalmente recentemente atualmente ultimamente normalmente geralmente sinceramente talvez mais bem muito mal enfim "
    "provavelmente certamente apenas logo então entao tb tbm n jamais praticamente basicamente simplesmente todos todas ambos mesmo".split()
)
FILLERS = frozenset("aí ai então entao realmente sinceramente basicamente simplesmente enfim finalmente mesmo".split())
CLITICS = frozenset("me se te nos lhe lhes vos".split())
_LINKS = frozenset(
    "e mas ou porque pois quando enquanto se embora que então entao só so porém porem aí ai como onde por isso depois antes "
    "desde até ate caso nem já quem qual".split()
)
_EMBEDDED = frozenset("onde como quem qual porque".split())
_ADJECTIVES = frozenset(
    "melhor melhores grande velho velha querido querida antigo antiga novo nova pequeno pequena outro outra mais falecido "
    "falecida primeiro primeira futuro futura atual ex gêmea gêmeo amado amada".split()
)
_WHICH = frozenset("mais velha velho nova novo caçula gêmea gêmeo do meio materna materno paterna paterno".split())
_ARTICLES = frozenset("o a os as".split())
_DETERMINERS = _ARTICLES | frozenset(
    "um uma uns umas esse essa este esta aquele aquela nosso nossa todo toda esses essas".split()
)
_MINE = frozenset("meu minha meus minhas nosso nossa nossos nossas".split())
_OF = frozenset("de do da dos das".split())
_BREAKS = frozenset({",", ";", ":", "(", ")", "-", "–", "—", '"', "“", "”"})
_STOPS = frozenset({"(", ")", ";", ":", "—", "–", "...", "…", "*"})
_NOUNS = frozenset(
    "trabalho gosto jogo conto começo almoço uso acordo casa compra visita conta volta passo canto treino estudo corte "
    "marca moda janta toca foco troco pago quarto ano sinto sento caso nada era como cria media parte parto consulta "
    "falta fala forma ajuda mudança entrada prova viagem cura custo peso banco janto gravo cobra pinta".split()
)
_AFTER_VERB = frozenset(
    "em no na nos nas de do da dos das com como muito bastante há desde todo toda o a os as um uma pra para por sozinho "
    "sozinha demais lá aqui mais que pelo pela pro que até num numa bem mal meu minha não meus minhas à ao".split()
)
_IMPERATIVE = frozenset(
    "anotar reservar guardar mandar olhar deixar ver contar falar ligar esperar parar pegar avisar aparecer vir levar trazer calar ficar".split()
)
_NO_NOUN = frozenset("eu ele ela nós você que quem e mas ou se quando porque isso me te não partir".split())
_CLITIC_OBJECT = frozenset("o a os as".split())


class Phrases:
    """The noun phrases and verbs of one sentence, with the discourse they are resolved in."""

    def __init__(self, text: str, tokens: Sequence[Token], mentions: Sequence[Mention], discourse: Discourse) -> None:
        self.text, self.tokens, self.discourse = text, tokens, discourse
        self.at = {mention.first: mention for mention in mentions if mention.last <= len(self.tokens)}
        self.addressee = _vocative(self.tokens, list(self.at.values()))
        self.rest = False  # the later piece of a long sentence: its verb may have its subject in the piece before
        self.named_here = False

    # noun phrases -----------------------------------------------------------------------------------------------

    def _phrases(self, index: int, *, loose: bool) -> list[tuple[Subject, int]]:
        token = self.tokens[index]
        low = token.low
        speaker = self.discourse.speaker
        if low in ("eu", "nós"):
            joint = self._and(index + 1)
            if joint:
                return [(Subject("speaker", speaker, f"{speaker} e {joint[0]}", plural=True, also=joint[0]), joint[1])]
            return [(Subject("speaker", speaker, speaker, plural=low == "nós"), index + 1)]
        if low == "a" and self._low(index + 1) == "gente":
            return [(Subject("speaker", speaker, speaker), index + 2)]
        if low in ("ele", "ela"):
            person = self.discourse.he_or_she("f" if low == "ela" else "m")
            if person is None:
                return [(Subject("it", low, low), index + 1)]
            joint = self._and(index + 1)
            if joint:
                text = f"{person.name} e {joint[0]}"
                return [
                    (Subject("person", person.entity, text, plural=True, also=joint[0], type=person.type), joint[1])
                ]
            return [(Subject("person", person.entity, person.name, type=person.type), index + 1)]
        if low in ("eles", "elas"):
            return [(Subject("they", low, low, plural=True), index + 1)]
        if low in ("você", "voce", "vc", "cê", "tu", "vocês"):
            name = self.addressee
            return [(Subject("addressee" if name else "it", name or low, name or low), index + 1)]
        if low in ("isso", "isto", "aquilo", "tudo", "alguém", "ninguém", "quem", "todo"):
            return [(Subject("it", low, low), index + 1)]
        if index in self.at:
            return self._named(index)
        if low in _ARTICLES and index + 1 in self.at:
            return self._named(index + 1)
        mine = index + (low in _ARTICLES)
        if self._low(mine) in _MINE:
            return self._possessed(mine + 1, speaker)
        if token.bare in ("mainha", "painho", "mamae", "papai"):
            return self._kin(index, speaker)
        if low in ("seu", "sua") and self.discourse.last:
            return self._possessed(index + 1, self.discourse.last.name)
        if low in _ARTICLES and self._kin_slot(index + 1) and not loose:
            return self._kin_of(index + 1) or self._things(index)
        if loose or (low not in _DETERMINERS and (token.bare in lex.COMMON or low in ADVERBS | CLITICS)):
            return []
        return self._things(index)

    def _object(self, subject: Subject) -> str:
        """Whom a clitic ``a`` or ``o`` before the verb means: the last person named who is not the subject."""
        return next((person.name for person in reversed(self.discourse.people) if person.name != subject.entity), "")

    def _named(self, index: int) -> list[tuple[Subject, int]]:
        mention = self.at[index]
        name = mention.name
        joint = self._and(mention.last)
        if joint:
            text = f"{name} e {joint[0]}"
            if joint[0] == self.discourse.speaker:
                return [(Subject("speaker", joint[0], f"{joint[0]} e {name}", plural=True, also=name), joint[1])]
            return [(Subject("person", name, text, plural=True, also=joint[0], type=mention.type), joint[1])]
        subject = Subject("person" if mention.type in ("person", "pet") else "thing", name, name, type=mention.type)
        out = [(subject, self._aside(mention.last))]
        if self._low(mention.last) == ",":
            closing = next(
                (
                    at
                    for at in range(mention.last + 1, min(mention.last + 9, len(self.tokens)))
                    if self.tokens[at].text == ","
                ),
                None,
            )
            if closing:
                out.append((subject, closing + 1))
            if self._low(mention.last + 1) == "que":
                out.append((subject, mention.last + 2))
        if self._low(mention.last) == "que":
            out.append((subject, mention.last + 1))
        return out

    def _and(self, at: int) -> tuple[str, int] | None:
        """``e Marcelo``, ``e eu`` right after a name: the second of a joint subject."""
        if self._low(at) != "e":
            return None
        at += 1
        if self._low(at) == "eu":
            return self.discourse.speaker, at + 1
        if self._low(at) in _ARTICLES:
            at += 1
        if at in self.at and self.at[at].type in ("person", "pet", "concept"):
            return self.at[at].name, self.at[at].last
        if self._kin_slot(at) and self._low(at + 1) == "," and at + 2 in self.at:
            last = self.at[at + 2].last
            return self.at[at + 2].name, last + (self._low(last) == ",")
        if self._low(at) in _MINE and self._kin_slot(at + 1):
            word = self.tokens[at + 1].low
            mention = self.at.get(at + 2)
            return (mention.name, mention.last) if mention else (f"{self._of_speaker(word)}", at + 2)
        return None

    def _of_speaker(self, word: str) -> str:
        return f"{_article(word)} {word} de {self.discourse.speaker}"

    def _kin_slot(self, at: int) -> str:
        if not 0 <= at < len(self.tokens):
            return ""
        bare = self.tokens[at].bare
        return lex.KIN.get(bare) or lex.KIN_PLURAL.get(bare) or ("pet" if bare in lex.PETS else "")

    def _possessed(self, at: int, owner: str) -> list[tuple[Subject, int]]:
        start = at
        while self._low(at) in _ADJECTIVES and at - start < 3:
            at += 1
        if at in self.at:
            return self._named(at)
        if self._kin_slot(at):
            return self._kin(at, owner, self._low(start - 1))
        if self._low(at) in ADVERBS or (self._finite(at) and self._low(at) not in _NOUNS):
            return []
        for end in range(start + 1, min(start + 8, len(self.tokens))):
            if self.tokens[end].text in _BREAKS:
                break
            if self._finite(end):
                noun = self.tokens[start].low
                text = f"{_article(noun)} {self._slice(start, end)} de {owner}"
                return [(Subject("owned", owner, text[0].upper() + text[1:], type="thing"), end)]
        return []

    def _kin(self, at: int, owner: str, ahead: str = "") -> list[tuple[Subject, int]]:
        """A relative or pet of the owner's, named or not; ``ahead`` is the word that tells its gender: *minha avo*."""
        word = self.tokens[at].low
        bare = self.tokens[at].bare
        kind = "pet" if bare in lex.PETS else "person"
        after = at + 1
        while self._low(after) in _WHICH and after - at < 4:
            after += 1
        comma = self._low(after) == ","
        mention = self.at.get(after + 1 if comma else after)
        if mention:
            end = mention.last + (1 if comma and self._low(mention.last) == "," else 0)
            end = self._aside(end + (self._low(end) == "que"))
            return [(Subject("person", mention.name, mention.name, type=kind), end)]
        speaker = self.discourse.is_speaker(owner)
        known = self.discourse.relative(bare) if speaker else None
        if known:
            return [(Subject("person", known, known, type=kind), self._aside(after))]
        text = f"{_article(word, ahead).capitalize()} {self._slice(at, after)} de {owner}"
        entity = word if speaker and kind != "pet" else owner
        subject = Subject("kin", entity, text, plural=bare in lex.KIN_PLURAL, role=bare)
        after = self._aside(after)
        return [(subject, after), (subject, after + 1)] if self._low(after) in ("que", ",") else [(subject, after)]

    def _kin_of(self, at: int) -> list[tuple[Subject, int]]:
        """``a mãe do Zé``: a relative of somebody named."""
        if self._low(at + 1) not in _OF:
            return []
        if self._low(at + 2) in ("meu", "minha"):
            return []
        mention = self.at.get(at + 2)
        if not mention or mention.type != "person":
            return []
        word, bare = self.tokens[at].low, self.tokens[at].bare
        entity = word if self.discourse.is_speaker(mention.name) else mention.name
        text = f"{_article(word, self._low(at - 1)).capitalize()} {word} de {mention.name}"
        return [(Subject("kin", entity, text, role=bare), mention.last)]

    def _things(self, index: int) -> list[tuple[Subject, int]]:
        """``A sala nova fica``: a thing without a name; an event or belonging is the speaker's."""
        low = self.tokens[index].low
        start = index + (low in _DETERMINERS)
        for end in range(start + 1, min(start + 9, len(self.tokens))):
            before = self.tokens[end - 1]
            if (
                self.tokens[end].text in _BREAKS
                or before.low in _NO_NOUN
                or (before.low in _ARTICLES and self.tokens[end - 2].low not in _OF)
            ):
                break
            if self._finite(end):
                return self._thing(index, start, end)
        return []

    def _thing(self, index: int, start: int, end: int) -> list[tuple[Subject, int]]:
        low = self.tokens[index].low
        words = self._slice(start, end)
        nouns = [token.bare for token in self.tokens[start:end]]
        mention = next((self.at[place] for place in range(start, end) if place in self.at), None)
        personal = any(noun in lex.EVENTS or noun in lex.OWNED for noun in nouns) and not mention
        if nouns[0] in lex.COMMON or any(noun in lex.NOT_NAMES for noun in nouns[:1]):
            return []
        if index == start and (len(nouns) > 2 or not personal or lex.forms().get(self.tokens[start].low)):
            return []
        if personal and low not in ("um", "uma"):
            words = words[0].lower() + words[1:]
            text = f"{_article(self.tokens[start].low)} {words} de {self.discourse.speaker}"
            return [(Subject("owned", self.discourse.speaker, text[0].upper() + text[1:], type="thing"), end)]
        if not mention and low in ("todo", "toda", "esses", "essas", "um", "uma", "uns", "umas"):
            return []
        text = self._slice(index, end)
        entity = mention.name if mention else words
        return [
            (Subject("thing", entity, text[0].upper() + text[1:], type=mention.type if mention else "concept"), end)
        ]

    # verbs ------------------------------------------------------------------------------------------------------

    def _verb(self, at: int, subject: Subject) -> int | None:
        at = self._skip(at)
        if self._low(at) in _CLITIC_OBJECT and subject.kind == "person" and lex.forms().get(self._low(at + 1)):
            at += 1
        if at >= len(self.tokens) or not self.tokens[at].word:
            return None
        tags = {tag for _, tag in lex.forms().get(self.tokens[at].low, ())}
        persons = {tag.split(".")[1] for tag in tags if "." in tag}
        if (subject.kind == "speaker" and (persons & {"1s", "1p", "3s"})) or (
            subject.plural and persons & {"1p", "3p", "3s"}
        ):
            return at
        if subject.kind == "addressee" and "3s" in persons:
            return at
        if subject.kind != "speaker" and ("3s" in persons or {"impf.1s", "cond.1s"} & tags):
            return at
        if subject.kind == "they" and "3p" in persons:
            return at
        return None

    def _finite(self, at: int) -> bool:
        if at >= len(self.tokens):
            return False
        low = self.tokens[at].low
        if (
            at in self.at
            or (low in _NOUNS and low != "era")
            or low in ("a", "para", "como", "sobre", "este", "esta", "entre", "cobre", "pela")
        ):
            return False
        skipped = self._skip(at)
        if skipped != at and skipped < len(self.tokens):
            return low in ("não", "já", "também", "se", "ainda", "sempre", "nunca") and self._finite(skipped)
        tags = {tag for _, tag in lex.forms().get(low, ())}
        return bool(
            tags & {"pres.3s", "pret.3s", "impf.1s", "fut.3s", "cond.1s", "pres.3p", "pret.3p", "impf.3p", "fut.3p"}
        )

    def _skip(self, at: int) -> int:
        while at < len(self.tokens) and (
            self.tokens[at].low in ADVERBS or self.tokens[at].low in CLITICS or self.tokens[at].low.endswith("mente")
        ):
            at += 1
        return at

    def _low(self, at: int) -> str:
        return self.tokens[at].low if 0 <= at < len(self.tokens) else ""

    def _aside(self, at: int) -> int:
        """The place after a parenthesis that opens at ``at``; ``at`` itself where none does, or none that closes."""
        if self._low(at) != "(":
            return at
        reach = range(at + 1, min(at + 14, len(self.tokens)))
        return next((place + 1 for place in reach if self.tokens[place].text == ")"), at)

    def _slice(self, start: int, end: int) -> str:
        return self.text[self.tokens[start].start : self.tokens[end - 1].end] if end > start else ""


def _article(word: str, ahead: str = "") -> str:
    """The definite article that fits a noun: by the article or possessive it was told with, its ending, a few exceptions.

    >>> _article("avo", "minha"), _article("chefe", "a"), _article("avó"), _article("irmãs")
    ('a', 'a', 'a', 'as')
    """
    low = word.casefold()
    if ahead in _MINE | _ARTICLES | {"seu", "sua"}:
        return ("a" if ahead.rstrip("s").endswith("a") else "o") + "s" * ahead.endswith("s")
    if low.endswith("s") and low[:-1].endswith(("a", "o", "ã", "e")) and low not in ("ônibus", "lápis"):
        return "as" if low.endswith(("as", "ãs", "ões")) and not low.endswith("mas") else "os"
    if low in _FEMININE or (low.endswith(("a", "ã", "ção", "são", "dade", "gem", "tude")) and low not in _MASCULINE):
        return "a"
    return "o"


_FEMININE = frozenset("mãe mulher avó moto irmã chefe-a foto noite tarde nora tese parede cirurgia".split())
_MASCULINE = frozenset("dia mapa problema programa sofá cinema poema papa guarda".split())


def _vocative(tokens: Sequence[Token], mentions: Sequence[Mention]) -> str | None:
    for mention in mentions:
        if mention.type != "person":
            continue
        after = tokens[mention.last].text if mention.last < len(tokens) else ""
        before = tokens[mention.first - 1].text if mention.first else ""
        if (mention.first == 0 and after == ",") or (mention.last >= len(tokens) and before == ","):
            return mention.name
    return None
