"""Portuguese: a sentence as clauses, each with its subject resolved and its predicate in the third person.

Portuguese leaves its subject out: the verb's ending tells *eu* and *nós*, and a third person goes on speaking of the
last one named. The rest is as in English: a clause begins where, after a boundary, a subject meets a finite verb.
"""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

from dataclasses import dataclass

from arandu_lab.llm.rules import lexicon_pt as lex
from arandu_lab.llm.rules import person_pt
from arandu_lab.llm.rules.clauses import Clause, Level, Subject
from arandu_lab.llm.rules.discourse import Person
from arandu_lab.llm.rules.phrases_pt import (
    _AFTER_VERB,
    _BREAKS,
    _CLITIC_OBJECT,
    _DETERMINERS,
    _EMBEDDED,
    _IMPERATIVE,
    _LINKS,
    _NOUNS,
    _STOPS,
    ADVERBS,
    Phrases,
)


@dataclass(frozen=True, slots=True)
class _Span:
    subject: Subject | None
    start: int
    verb: int
    link: str = ""
    borrowed: str = ""
    null: bool = False


class Reader(Phrases):
    """Reads the clauses of one sentence, moving the discourse forward."""

    def clauses(self) -> list[Clause]:
        """The statements of the sentence."""
        spans = self._spans()
        out: list[Clause] = []
        drop_next = ""
        for index, span in enumerate(spans):
            end = self._trim(span.verb, spans[index + 1].start if index + 1 < len(spans) else len(self.tokens))
            verb = lex.lemma(self.tokens[span.verb].low)
            if index + 1 < len(spans) and self._matrix(span, spans[index + 1], verb, end):
                drop_next = (
                    "wish"
                    if verb in lex.WISH | {"perguntar"}
                    else "think"
                    if verb in lex.THINK | {"parecer"}
                    else "say"
                )
                if any(token.low in ("não", "nunca") for token in self.tokens[span.start : span.verb]):
                    drop_next = "wish"
                continue
            taken, drop_next = drop_next, ""
            if taken == "wish" or span.link in ("se", "caso") or (span.link in _EMBEDDED and index):
                continue
            if span.subject is None or span.subject.kind in ("it", "they"):
                continue
            clause = self._clause(
                span,
                end,
                verb,
                taken,
                conditional=self._supposed() or any(other.link in ("se", "caso") for other in spans[:index]),
            )
            if clause:
                out.append(clause)
        return out

    def _supposed(self) -> bool:
        """The sentence opens with a condition: ``Se eu ganhar, …`` (not the clitic of ``Se mudou``)."""
        low, after = self._low(0), {tag for _, tag in lex.forms().get(self._low(1), ())}
        return low == "caso" or (low == "se" and not after & {"pret.3s", "pres.3s", "impf.1s"})

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
        if low in _NOUNS and self._low(at + 1) not in _AFTER_VERB and not (low in _STUDIES and not at):
            return None
        previous = spans[-1].subject if spans else None
        clear = any(tag.endswith(".1s") and not tag.startswith(("impf", "cond")) for tag in tags) or low.endswith("ei")
        if clear and not (tags & {"pres.3s", "pret.3s"}):
            return _Span(speaker, index, at, link, null=True)
        if (any(tag.endswith(".1p") for tag in tags) and low not in ("amos", "vamos")) or (
            low == "vamos" and not index and len(self.tokens) > 2
        ):
            return _Span(speaker, index, at, link, null=True)
        if tags & {"impf.1s", "cond.1s"}:
            third = previous and previous.kind != "speaker" and self.tokens[index - 1].low in ("e", "mas", ",", "que")
            return _Span(previous if third else speaker, index, at, link, null=True)
        if tags & {"pres.3s", "pret.3s", "fut.3s"}:
            if previous is not None and (
                self.tokens[index - 1].low in ("e", "mas", ",", "que", "porque", "pois") or index == 0
            ):
                if (
                    previous.kind == "speaker"
                    and "pret.3s" not in tags
                    and previous.text == self.discourse.speaker
                    and not self._gente(spans[-1])
                ):
                    return None
                return _Span(previous, index, at, link, null=True)
            last = self.discourse.last or self._implied(at)
            if not spans and last and last.type in ("person", "pet") and self.discourse.people:
                if "pres.3s" in tags and lex.lemma(low) in _IMPERATIVE:
                    return None
                return _Span(Subject("person", last.entity, last.name, type=last.type), index, at, link, null=True)
            return (
                _Span(None, index, at, link, null=True)
                if lex.lemma(low) == "parecer" and self._low(at + 1) == "que"
                else None
            )
        if (
            tags & {"ger"}
            and not spans
            and index == at
            and len(self.tokens) > 3
            and low not in ("falando", "precisando", "pensando")
        ):
            return _Span(speaker, index, at, link, borrowed="está", null=True)
        if tags & {"pres.3p", "pret.3p"} and previous is not None and previous.plural:
            return _Span(previous, index, at, link, null=True)
        return None

    def _implied(self, at: int) -> Person | None:
        """The last person named before, for a verb that says what somebody is or does as a rule."""
        verb = lex.lemma(self._low(at))
        if verb == "ser" and not (
            (self._low(at + 1) in ("de", "do", "da") and at + 2 in self.at)
            or any(token.bare in lex.ROLES for token in self.tokens[at + 1 : at + 2])
        ):
            return None
        if verb == "ter" and not (self._low(at + 1).isdigit() and self._low(at + 2) == "anos"):
            return None
        if verb not in _STATIVE or at or not self.discourse.people:
            return None
        return self.discourse.people[-1] if self.discourse.people[-1].type == "person" else None

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
            return matrix in lex.THINK | lex.SAY | lex.WISH | {"parecer", "perguntar", "jurar"} or self._low(
                index - 2
            ) in ("é", "já", "dizem")
        if before.low in _LINKS:
            return True
        return not spans and before.low not in _PREPOSITIONS and (before.bare in lex.COMMON or before.low in ADVERBS)

    def _link(self, start: int) -> str:
        index = start - 1
        while index >= 0 and self.tokens[index].low in ("e", "mas", ",", "aí", "então", "também"):
            index -= 1
        low = self.tokens[index].low if index >= 0 else ""
        if start < len(self.tokens) and self.tokens[start].low == "se" and start == 0:
            return "se"
        return low if low in _LINKS else ""

    # clauses ----------------------------------------------------------------------------------------------------

    def _matrix(self, span: _Span, following: _Span, verb: str, end: int) -> bool:
        if end - span.verb > 4:
            return False
        que = any(token.low == "que" for token in self.tokens[span.verb : following.start + 1])
        return (
            que
            and verb in lex.THINK | lex.WISH | lex.SAY | {"parecer", "perguntar"}
            and following.start - span.verb <= 5
        )

    def _trim(self, verb: int, end: int) -> int:
        for at in range(verb + 1, end):
            if self.tokens[at].text in _STOPS or (
                self.tokens[at].low in ("porque", "embora", "pois") and at > verb + 1
            ):
                end = at
                break
            if self.tokens[at].text == "," and self._low(at + 1) in (
                "né",
                "sabe",
                "viu",
                "tá",
                "kkk",
                "kkkk",
                "mas",
                "então",
                "que",
                "e",
                "eu",
            ):
                end = at
                break
        if (
            self.addressee
            and end - 2 > verb
            and self.tokens[end - 2].text == ","
            and end - 1 in self.at
            and self.at[end - 1].name == self.addressee
        ):
            end -= 2
        while end > verb + 1 and (
            self.tokens[end - 1].text in _BREAKS
            or self.tokens[end - 1].low in (_LINKS - {"lá", "aí", "ai", "depois", "antes"})
            or self.tokens[end - 1].low in ("né", "viu", "rs", "o", "a", "eu")
            or self.tokens[end - 1].low.startswith("kkk")
            or not self.tokens[end - 1].text[:1].isalnum()
        ):
            end -= 1
        return end

    def _clause(self, span: _Span, end: int, verb: str, taken: str, *, conditional: bool) -> Clause | None:
        subject = span.subject
        assert subject is not None
        first = span.verb
        while first - 1 >= span.start and self._skip(first - 1) > first - 1:
            first -= 1
        when = ""
        while first < span.verb and self._low(first) in _WHEN:
            when = self._low(first)
            first += 1
        words = list(self.tokens[first:end])
        if (
            not self.addressee
            and subject.kind != "addressee"
            and any(
                token.low in ("você", "voce", "vc", "vocês", "te", "teu", "tua", "contigo", "ti") for token in words
            )
        ):
            return None
        if (
            self._low(span.verb - 1) in _CLITIC_OBJECT
            and span.verb - 1 > span.start
            and subject.kind == "person"
            and first == span.verb
        ):
            whom = self._object(subject)
            if not whom:
                return None
            predicate = person_pt.third_person(self.text, words, 0, subject, self.discourse)
            verb_word, _, rest = predicate.partition(" ")
            predicate = f"{verb_word} {whom} {rest}".strip()
        else:
            predicate = person_pt.third_person(
                self.text, words, span.verb - first, subject, self.discourse, borrowed=span.borrowed
            )
        if not predicate:
            return None
        lead = self._lead(span) or when
        if lead:
            predicate = f"{predicate} {lead}"
        return Clause(
            subject,
            predicate,
            verb,
            self._level(span, end, taken),
            reported=taken == "say",
            conditional=conditional,
            elided=span.null,
            start=self.tokens[span.start].start,
            end=self.tokens[end - 1].end,
        )

    def _lead(self, span: _Span) -> str:
        start = span.start
        while (
            start > 0
            and self.tokens[start - 1].text not in {";", ":", "(", ")", "—"}
            and self.tokens[start - 1].low not in (_LINKS - {"desde", "depois", "antes", "até"})
        ):
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

    def _renamed(self, subject: Subject) -> Person:
        """The person of a subject, with the gender and role that are known of them."""
        same = [person for person in self.discourse.people if person.entity == subject.entity]
        if not same:
            return self.discourse.name(subject.entity, subject.type)
        old = min(same, key=lambda person: (person.name != subject.text, bool(person.role)))
        return self.discourse.name(old.name, old.type, old.gender, old.role)

    def _remember(self, subject: Subject) -> None:
        if subject.kind == "person":
            self.discourse.last = self._renamed(subject)
        elif subject.kind == "kin" and not subject.plural:
            sex = "f" if subject.role in lex.FEMALE else "m" if subject.role in lex.MALE else "u"
            self.discourse.last = self.discourse.name(subject.text, subject.type, sex, subject.entity)  # type: ignore[arg-type]


_WHEN = frozenset("ontem anteontem hoje amanhã amanha".split())
_STUDIES = frozenset("estudo toco treino".split())
_STATIVE = frozenset(
    "ser ter morar trabalhar estudar viver comer beber gostar odiar adorar torcer tocar jogar roncar fumar dirigir falar ensinar".split()
)
_PREPOSITIONS = frozenset(
    "com sem de do da dos das em no na nos nas para pra por pelo pela sobre entre contra é".split()
)
_LEADS = frozenset(
    "ontem hoje amanhã anteontem semana mês ano em no na desde há faz depois antes durante todo toda domingo segunda terça quarta "
    "quinta sexta sábado dia às".split()
)
