"""Portuguese: a sentence as clauses, each with its subject resolved and its predicate in the third person.

Portuguese leaves its subject out: the verb's ending tells *eu* and *nós*, and a third person goes on speaking of the
last one named. The rest is as in English: a clause begins where, after a boundary, a subject meets a finite verb.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arandu_lab.llm.rules import lexicon_pt as lex
from arandu_lab.llm.rules import person_pt
from arandu_lab.llm.rules.clauses import Clause, Level, Subject
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
_LINKS = frozenset("e mas ou porque pois quando enquanto se embora que então entao só so porém porem aí ai como onde por isso depois antes "
                   "desde até ate caso nem já quem qual".split())
_EMBEDDED = frozenset("onde como quem qual porque".split())
_ADJECTIVES = frozenset("melhor melhores grande velho velha querido querida antigo antiga novo nova pequeno pequena outro outra mais falecido "
                        "falecida primeiro primeira futuro futura atual ex gêmea gêmeo amado amada".split())
_ARTICLES = frozenset("o a os as".split())
_DETERMINERS = _ARTICLES | frozenset("um uma uns umas esse essa este esta aquele aquela nosso nossa todo toda esses essas".split())
_MINE = frozenset("meu minha meus minhas nosso nossa nossos nossas".split())
_OF = frozenset("de do da dos das".split())
_BREAKS = frozenset({",", ";", ":", "(", ")", "-", "–", "—", '"', "“", "”"})
_STOPS = frozenset({"(", ")", ";", ":", "—", "–", "...", "…", "*", '"'})
_NOUNS = frozenset("trabalho gosto jogo conto começo almoço uso acordo casa compra visita conta volta passo canto treino estudo corte "
                   "marca moda janta toca foco troco pago quarto ano sinto sento caso nada era como cria media parte parto consulta "
                   "falta fala forma ajuda mudança entrada prova viagem cura custo peso banco janto gravo cobra pinta".split())
_AFTER_VERB = frozenset("em no na nos nas de do da dos das com como muito bastante há desde todo toda o a os as um uma pra para por sozinho "
                        "sozinha demais lá aqui mais que pelo pela pro que até num numa bem mal meu minha não meus minhas à ao".split())
_IMPERATIVE = frozenset("mandar olhar deixar ver contar falar ligar esperar parar pegar avisar aparecer vir levar trazer calar ficar".split())
_NO_NOUN = frozenset("eu ele ela nós você que quem e mas ou se quando porque isso me te não partir".split())
_CLITIC_OBJECT = frozenset("o a os as".split())
_MAX = 160


@dataclass(frozen=True, slots=True)
class _Span:
    subject: Subject | None
    start: int
    verb: int
    link: str = ""
    borrowed: str = ""
    null: bool = False


class Reader:
    """Reads the clauses of one sentence, moving the discourse forward."""

    def __init__(self, text: str, tokens: Sequence[Token], mentions: Sequence[Mention], discourse: Discourse) -> None:
        self.text, self.tokens, self.discourse = text, tokens[:_MAX], discourse
        self.at = {mention.first: mention for mention in mentions if mention.last <= len(self.tokens)}
        self.addressee = _vocative(self.tokens, mentions)
        self.named_here = False

    def clauses(self) -> list[Clause]:
        """The statements of the sentence."""
        spans = self._spans()
        out: list[Clause] = []
        drop_next = ""
        for index, span in enumerate(spans):
            end = self._trim(span.verb, spans[index + 1].start if index + 1 < len(spans) else len(self.tokens))
            verb = lex.lemma(self.tokens[span.verb].low)
            if index + 1 < len(spans) and self._matrix(span, spans[index + 1], verb, end):
                drop_next = "wish" if verb in lex.WISH | {"perguntar"} else "think" if verb in lex.THINK | {"parecer"} else "say"
                continue
            taken, drop_next = drop_next, ""
            if taken == "wish" or span.link in ("se", "caso") or (span.link in _EMBEDDED and index):
                continue
            if span.subject is None or span.subject.kind in ("it", "they"):
                continue
            clause = self._clause(span, end, verb, taken, conditional=any(other.link in ("se", "caso") for other in spans))
            if clause:
                out.append(clause)
        return out

    # spans ------------------------------------------------------------------------------------------------------

    def _spans(self) -> list[_Span]:
        spans: list[_Span] = []
        index = 0
        while index < len(self.tokens):
            boundary = self._boundary(index, spans)
            span = None
            if boundary or not spans:
                bare = boundary and self.tokens[index].low not in _DETERMINERS and index not in self.at
                span = (self._null(index, spans) if bare else None) or self._explicit(index, loose=not boundary)
                if span is None and boundary and not bare:
                    span = self._null(index, spans)
            if span is None:
                index += 1
                continue
            spans.append(span)
            if span.subject:
                self._remember(span.subject)
            index = span.verb + 1
        return spans

    def _explicit(self, index: int, *, loose: bool) -> _Span | None:
        if not self.tokens[index].word:
            return None
        for subject, after in self._phrases(index, loose=loose):
            verb = self._verb(after, subject)
            if verb is not None:
                return _Span(subject, index, verb, self._link(index))
        return None

    def _null(self, index: int, spans: list[_Span]) -> _Span | None:
        """A verb that carries its own subject."""
        at = self._skip(index)
        if at >= len(self.tokens) or not self.tokens[at].word or at in self.at:
            return None
        if spans and at - index > 3:
            return None
        low = self.tokens[at].low
        readings = lex.forms().get(low, ())
        tags = {tag for _, tag in readings}
        link = self._link(index)
        speaker = Subject("speaker", self.discourse.speaker, self.discourse.speaker)
        if low in _NOUNS and self._low(at + 1) not in _AFTER_VERB:
            return None
        previous = spans[-1].subject if spans else None
        clear = any(tag.endswith(".1s") and not tag.startswith(("impf", "cond")) for tag in tags) or low.endswith("ei")
        if clear and not (tags & {"pres.3s", "pret.3s"}):
            return _Span(speaker, index, at, link, null=True)
        if any(tag.endswith(".1p") for tag in tags) and low not in ("amos", "vamos") or (low == "vamos" and not index and len(self.tokens) > 2):
            return _Span(speaker, index, at, link, null=True)
        if tags & {"impf.1s", "cond.1s"}:
            third = previous and previous.kind != "speaker" and self.tokens[index - 1].low in ("e", "mas", ",", "que")
            return _Span(previous if third else speaker, index, at, link, null=True)
        if tags & {"pres.3s", "pret.3s", "fut.3s"}:
            if previous is not None and (self.tokens[index - 1].low in ("e", "mas", ",", "que", "porque", "pois") or index == 0):
                if previous.kind == "speaker" and "pret.3s" not in tags and previous.text == self.discourse.speaker and not self._gente(spans[-1]):
                    return None
                return _Span(previous, index, at, link, null=True)
            last = self.discourse.last
            if not spans and last and last.type in ("person", "pet") and self.discourse.people:
                if "pres.3s" in tags and lex.lemma(low) in _IMPERATIVE:
                    return None
                return _Span(Subject("person", last.name, last.name, type=last.type), index, at, link, null=True)
            return _Span(None, index, at, link, null=True) if lex.lemma(low) == "parecer" and self._low(at + 1) == "que" else None
        if tags & {"ger"} and not spans and index == at and len(self.tokens) > 3 and low not in ("falando", "precisando", "pensando"):
            return _Span(speaker, index, at, link, borrowed="está", null=True)
        if tags & {"pres.3p", "pret.3p"} and previous is not None and previous.plural:
            return _Span(previous, index, at, link, null=True)
        return None

    def _gente(self, span: _Span) -> bool:
        return any(token.low == "gente" for token in self.tokens[span.start : span.verb])

    def _boundary(self, index: int, spans: list[_Span]) -> bool:
        if index == 0:
            return True
        before = self.tokens[index - 1]
        if before.text in _BREAKS or not (before.word or before.text.isdigit()) or before.text in {"!", "."}:
            return True
        if before.low == "que":
            matrix = lex.lemma(self._low(index - 2))
            return matrix in lex.THINK | lex.SAY | lex.WISH | {"parecer", "perguntar", "jurar"} or self._low(index - 2) in ("é", "já", "dizem")
        if before.low in _LINKS:
            return True
        return not spans and (before.bare in lex.COMMON or before.low in ADVERBS)

    def _link(self, start: int) -> str:
        index = start - 1
        while index >= 0 and self.tokens[index].low in ("e", "mas", ",", "aí", "então", "também"):
            index -= 1
        low = self.tokens[index].low if index >= 0 else ""
        if start < len(self.tokens) and self.tokens[start].low == "se" and start == 0:
            return "se"
        return low if low in _LINKS else ""

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
                return [(Subject("person", person.name, text, plural=True, also=joint[0], type=person.type), joint[1])]
            return [(Subject("person", person.name, person.name, type=person.type), index + 1)]
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
        out = [(subject, mention.last)]
        if self._low(mention.last) == ",":
            closing = next((at for at in range(mention.last + 1, min(mention.last + 9, len(self.tokens))) if self.tokens[at].text == ","), None)
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
            return self._kin(at, owner)
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

    def _kin(self, at: int, owner: str) -> list[tuple[Subject, int]]:
        word = self.tokens[at].low
        bare = self.tokens[at].bare
        kind = "pet" if bare in lex.PETS else "person"
        after = at + 1
        while self._low(after) in ("mais", "velha", "velho", "nova", "novo", "caçula", "gêmea", "gêmeo", "do", "meio") and after - at < 4:
            after += 1
        comma = self._low(after) == ","
        mention = self.at.get(after + 1 if comma else after)
        if mention:
            end = mention.last + (1 if comma and self._low(mention.last) == "," else 0)
            if self._low(end) == "que":
                end += 1
            return [(Subject("person", mention.name, mention.name, type=kind), end)]
        known = self.discourse.relative(bare) if self.discourse.is_speaker(owner) else None
        if known:
            return [(Subject("person", known, known, type=kind), after)]
        text = f"{_article(word)} {self._slice(at, after)} de {owner}"
        subject = Subject("kin", word, text[0].upper() + text[1:], plural=bare in lex.KIN_PLURAL, role=bare, type=kind)
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
        return [(Subject("kin", self.tokens[at].low, f"{_article(self.tokens[at].low).capitalize()} {self.tokens[at].low} de {mention.name}",
                         role=self.tokens[at].bare), mention.last)]  # fmt: skip

    def _things(self, index: int) -> list[tuple[Subject, int]]:
        """``A sala nova fica``: a thing without a name; an event or belonging is the speaker's."""
        low = self.tokens[index].low
        start = index + (low in _DETERMINERS)
        for end in range(start + 1, min(start + 9, len(self.tokens))):
            before = self.tokens[end - 1]
            if self.tokens[end].text in _BREAKS or before.low in _NO_NOUN or (before.low in _ARTICLES and self.tokens[end - 2].low not in _OF):
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
        text = self._slice(index, end)
        entity = mention.name if mention else words
        return [(Subject("thing", entity, text[0].upper() + text[1:], type=mention.type if mention else "concept"), end)]

    # verbs ------------------------------------------------------------------------------------------------------

    def _verb(self, at: int, subject: Subject) -> int | None:
        at = self._skip(at)
        if self._low(at) in _CLITIC_OBJECT and subject.kind == "person" and lex.forms().get(self._low(at + 1)):
            at += 1
        if at >= len(self.tokens) or not self.tokens[at].word:
            return None
        tags = {tag for _, tag in lex.forms().get(self.tokens[at].low, ())}
        persons = {tag.split(".")[1] for tag in tags if "." in tag}
        if subject.kind == "speaker" and (persons & {"1s", "1p", "3s"}) or (subject.plural and persons & {"1p", "3p", "3s"}):
            return at
        if subject.kind == "addressee" and "3s" in persons:
            return at
        if subject.kind != "speaker" and ("3s" in persons or {"impf.1s", "cond.1s"} & tags):
            return at
        if subject.kind == "they" and "3p" in persons:
            return at
        return None

    def _finite(self, at: int) -> bool:
        low = self.tokens[at].low
        if at in self.at or low in _NOUNS and low != "era" or low in ("a", "para", "como", "sobre", "este", "esta", "entre", "cobre", "pela"):
            return False
        skipped = self._skip(at)
        if skipped != at and skipped < len(self.tokens):
            return low in ("não", "já", "também", "se", "ainda", "sempre", "nunca") and self._finite(skipped)
        tags = {tag for _, tag in lex.forms().get(low, ())}
        return bool(tags & {"pres.3s", "pret.3s", "impf.1s", "fut.3s", "cond.1s", "pres.3p", "pret.3p", "impf.3p", "fut.3p"})

    def _skip(self, at: int) -> int:
        while at < len(self.tokens) and (self.tokens[at].low in ADVERBS or self.tokens[at].low in CLITICS
                                         or self.tokens[at].low.endswith("mente")):  # fmt: skip
            at += 1
        return at

    def _low(self, at: int) -> str:
        return self.tokens[at].low if 0 <= at < len(self.tokens) else ""

    def _slice(self, start: int, end: int) -> str:
        return self.text[self.tokens[start].start : self.tokens[end - 1].end] if end > start else ""

    # clauses ----------------------------------------------------------------------------------------------------

    def _matrix(self, span: _Span, following: _Span, verb: str, end: int) -> bool:
        if end - span.verb > 4:
            return False
        que = any(token.low == "que" for token in self.tokens[span.verb : following.start + 1])
        return que and verb in lex.THINK | lex.WISH | lex.SAY | {"parecer", "perguntar"} and following.start - span.verb <= 5

    def _trim(self, verb: int, end: int) -> int:
        for at in range(verb + 1, end):
            if self.tokens[at].text in _STOPS or (self.tokens[at].low in ("porque", "embora", "pois") and at > verb + 1):
                end = at
                break
            if self.tokens[at].text == "," and self._low(at + 1) in ("né", "sabe", "viu", "tá", "kkk", "kkkk", "mas", "então", "que", "e", "eu"):
                end = at
                break
        if self.addressee and end - 2 > verb and self.tokens[end - 2].text == "," and end - 1 in self.at and self.at[end - 1].name == self.addressee:
            end -= 2
        while end > verb + 1 and (self.tokens[end - 1].text in _BREAKS or self.tokens[end - 1].low in (_LINKS - {"lá", "aí", "ai", "depois", "antes"})
                                  or self.tokens[end - 1].low in ("né", "viu", "rs", "o", "a", "eu") or self.tokens[end - 1].low.startswith("kkk")
                                  or not self.tokens[end - 1].text[:1].isalnum()):  # fmt: skip
            end -= 1
        return end

    def _clause(self, span: _Span, end: int, verb: str, taken: str, *, conditional: bool) -> Clause | None:
        subject = span.subject
        assert subject is not None
        first = span.verb
        while first - 1 >= span.start and self._skip(first - 1) > first - 1:
            first -= 1
        words = list(self.tokens[first:end])
        if not self.addressee and subject.kind != "addressee" and any(
                token.low in ("você", "voce", "vc", "vocês", "te", "teu", "tua", "contigo", "ti") for token in words):  # fmt: skip
            return None
        if self._low(span.verb - 1) in _CLITIC_OBJECT and span.verb - 1 > span.start and subject.kind == "person" and first == span.verb:
            whom = self._object(subject)
            if not whom:
                return None
            predicate = person_pt.third_person(self.text, words, 0, subject, self.discourse)
            verb_word, _, rest = predicate.partition(" ")
            predicate = f"{verb_word} {whom} {rest}".strip()
        else:
            predicate = person_pt.third_person(self.text, words, span.verb - first, subject, self.discourse, borrowed=span.borrowed)
        if not predicate:
            return None
        lead = self._lead(span)
        if lead:
            predicate = f"{predicate} {lead}"
        return Clause(subject, predicate, verb, self._level(span, end, taken), reported=taken == "say", conditional=conditional,
                      elided=span.null)  # fmt: skip

    def _lead(self, span: _Span) -> str:
        start = span.start
        while start > 0 and self.tokens[start - 1].text not in {";", ":", "(", ")", "—"} and self.tokens[start - 1].low not in (_LINKS - {"desde", "depois", "antes", "até"}):
            start -= 1
        stop = span.start
        while stop > start and not self.tokens[stop - 1].text[:1].isalnum():
            stop -= 1
        if stop > start and self.tokens[start].low in _LEADS and span.start - start < 9:
            words = self._slice(start, stop)
            return words[0].lower() + words[1:]
        return ""

    def _level(self, span: _Span, end: int, taken: str) -> Level:
        words = {token.bare for token in self.tokens[max(0, span.start - 3) : end]}
        if words & {"talvez", "quica", "possivelmente"}:
            return "speculation"
        if taken == "think" or words & {"provavelmente", "aparentemente", "parece", "acho", "dizem"}:
            return "weak"
        return "strong" if taken == "say" else "explicit"

    def _remember(self, subject: Subject) -> None:
        if subject.kind == "person":
            self.discourse.last = self.discourse.name(subject.entity, subject.type)
        elif subject.kind == "kin" and not subject.plural:
            sex = "f" if subject.role in lex.FEMALE else "m" if subject.role in lex.MALE else "u"
            self.discourse.last = self.discourse.name(subject.text, subject.type, sex)  # type: ignore[arg-type]


_LEADS = frozenset("ontem hoje amanhã anteontem semana mês ano em no na desde há faz depois antes durante todo toda domingo segunda terça quarta "
                   "quinta sexta sábado dia às".split())


def _article(word: str) -> str:
    """The definite article that fits a noun, by its ending and a few exceptions."""
    low = word.casefold()
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
