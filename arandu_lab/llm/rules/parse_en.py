"""English: a sentence as clauses, each with its subject resolved and its predicate in the third person.

No tagger and no tree: a clause begins where, after a boundary, a noun phrase meets a finite verb that agrees with it.
Predicates joined by *and* or *but* share the subject; *I think* and *she says* give way to what is thought or said.
"""

from __future__ import annotations

from dataclasses import dataclass

from arandu_lab.llm.rules import lexicon_en as lex
from arandu_lab.llm.rules import person_en
from arandu_lab.llm.rules.clauses import Clause, Level, Subject
from arandu_lab.llm.rules.discourse import Person
from arandu_lab.llm.rules.phrases_en import _BREAKS, _CONDITIONAL, _EMBEDDED, _LINKS, _STOPS, Phrases


@dataclass(frozen=True, slots=True)
class _Span:
    subject: Subject | None
    start: int
    verb: int
    link: str = ""
    borrowed: str = ""
    elided: bool = False


class Reader(Phrases):
    """Reads the clauses of one sentence, moving the discourse forward."""

    def clauses(self) -> list[Clause]:
        """The statements of the sentence."""
        spans = self._spans()
        out: list[Clause] = []
        drop_next = ""
        for index, span in enumerate(spans):
            end = spans[index + 1].start if index + 1 < len(spans) else len(self.tokens)
            end = self._trim(span.verb, end)
            verb = self._lemma(span.verb)
            matrix = index + 1 < len(spans) and end - span.verb <= 4 and self._matrix(span, spans[index + 1], verb)
            if matrix:
                drop_next = "wish" if verb in lex.WISH else "think" if verb in lex.THINK else "say"
                negative = any(token.low in ("not", "never") for token in self.tokens[span.start : end])
                if verb in ("ask", "wonder") or negative:
                    drop_next = "wish"
                continue
            taken, drop_next = drop_next, ""
            if taken == "wish" or span.link in _CONDITIONAL or (span.link in _EMBEDDED and index):
                continue
            if span.subject is None or span.subject.kind in ("it", "they"):
                continue
            clause = self._clause(
                span,
                end,
                verb,
                taken,
                conditional=self._low(0) in _CONDITIONAL or any(other.link in _CONDITIONAL for other in spans[:index]),
            )
            if clause:
                out.append(clause)
        return out

    # spans ------------------------------------------------------------------------------------------------------

    def _spans(self) -> list[_Span]:
        spans: list[_Span] = []
        index = 0
        while index < len(self.tokens):
            boundary = self._boundary(index, spans)
            if boundary or not spans:
                found = self._subject(index, loose=not boundary)
                if found:
                    subject, verb = found
                    spans.append(_Span(subject, index, verb, self._link(index)))
                    self._remember(subject)
                    index = verb + 1
                    continue
            if spans and self._joined(index):
                span = self._conjoined(index, spans[-1])
                if span:
                    spans.append(span)
                    index = span.verb + 1
                    continue
            if not spans and boundary and not self.rest and self._opening(index):
                span = self._elided(index)
                if span:
                    spans.append(span)
                    index = span.verb + 1
                    continue
            index += 1
        return spans

    def _boundary(self, index: int, spans: list[_Span]) -> bool:
        if index == 0:
            return True
        before = self.tokens[index - 1]
        if before.low in _BETWEEN and index > 1 and self._boundary(index - 1, spans):
            return True
        if (
            before.text in _BREAKS
            or not (before.word or before.text.isdigit() or before.low == "'s")
            or before.text in {"!", "."}
        ):
            return True
        if before.low in ("that", "who"):
            return bool(spans) and index >= 2 and self._lemma(index - 2) in lex.THINK | lex.SAY | lex.WISH | {"me"}
        if before.low in _LINKS:
            return True
        if spans and self._lemma(index - 1) in lex.THINK | lex.WISH | lex.SAY and spans[-1].verb >= index - 3:
            return True
        if spans and before.low in ("me", "us", "him", "her", "them") and self._lemma(index - 2) in {"tell", "remind"}:
            return True
        return not spans and before.low in lex.COMMON and before.low not in _PREPOSITIONS

    def _opening(self, index: int) -> bool:
        """Nothing but interjections stands before."""
        return all(not token.word or token.low in _INTERJECTIONS for token in self.tokens[:index])

    def _joined(self, index: int) -> bool:
        return self.tokens[index - 1].low in ("and", "but", "or", ",", "then", "who") if index else False

    def _link(self, start: int) -> str:
        index = start - 1
        while index >= 0 and self.tokens[index].low in ("and", "but", ",", "then", "just", "even"):
            index -= 1
        low = self.tokens[index].low if index >= 0 else ""
        return low if low in _LINKS else ""

    def _conjoined(self, index: int, last: _Span) -> _Span | None:
        """``and bought a house``: a finite predicate of the same kind as the one before, without a subject."""
        at = self._skip(index)
        if at >= len(self.tokens) or last.subject is None or not self.tokens[at].word:
            return None
        low = self.tokens[at].low
        kinds = {kind for _, kind in lex.forms().get(low, ())}
        head = self.tokens[last.verb].low
        comma = self.tokens[index - 1].text == ","
        if low in lex.AUX:
            if comma or low in ("be", "been", "being", "have", "do") or not self._agrees(at, last.subject):
                return None
            return _Span(last.subject, index, at, elided=last.elided)
        if head in lex.BE and "ing" in kinds and not comma and self._later(last.verb, "ing"):
            return _Span(last.subject, index, at, borrowed=head)
        if (
            head in ("have", "has", "had")
            and "participle" in kinds
            and not comma
            and self._later(last.verb, "participle")
        ):
            return _Span(last.subject, index, at, borrowed=head)
        if head in lex.MODAL and "base" in kinds and not comma:
            return _Span(last.subject, index, at, borrowed=head)
        if any(token.text in _BREAKS and token.text != "," for token in self.tokens[last.verb : index]):
            return None
        past = any(kind == "past" for _, kind in lex.forms().get(head, ()))
        if (
            "past" in kinds
            and (past or head in ("has", "have", "had", "was", "is", "am", "are"))
            and "base" not in kinds
        ):
            return _Span(last.subject, index, at)
        plain = last.subject.kind == "speaker" or last.subject.plural
        if (
            not comma
            and (("base" in kinds and plain and not past) or ("third" in kinds and not plain))
            and head not in lex.AUX
        ):
            return _Span(last.subject, index, at)
        if "third" in kinds and not plain and not self._noun_like(low) and (not comma or self._who(last)):
            return _Span(last.subject, index, at)
        return None

    def _who(self, last: _Span) -> bool:
        return any(token.low == "who" for token in self.tokens[last.start : last.verb])

    def _later(self, verb: int, kind: str) -> bool:
        return any(
            any(found == kind for _, found in lex.forms().get(token.low, ()))
            for token in self.tokens[verb + 1 : verb + 5]
        )

    def _elided(self, index: int) -> _Span | None:
        """``Moved to Denver last week``: chat without its *I*."""
        at = self._skip(index)
        if at >= len(self.tokens) or len(self.tokens) - at < 3 or not self.tokens[at].word:
            return None
        low = self.tokens[at].low
        readings = lex.forms().get(low, ())
        kinds = {kind for _, kind in readings}
        speaker = Subject("speaker", self.discourse.speaker, self.discourse.speaker)
        following = self.tokens[at + 1].low
        if low == "been" and following not in ("a", "an", "so", "the"):
            return _Span(speaker, index, at, borrowed="has", elided=True)
        if (
            "past" in kinds
            and "base" not in kinds
            and following not in ("by", ",")
            and low not in lex.AUX | {"said", "thought", "found"}
        ):
            if (
                low in lex.COMMON
                and following not in ("a", "the", "my", "to", "up", "out")
                and not self.tokens[at + 1].capital
            ):
                return None
            return _Span(speaker, index, at, elided=True)
        if (
            "ing" in kinds
            and low not in ("being", "going", "speaking", "looking", "seeing", "talking", "having", "knowing")
            and index == at
        ):
            return _Span(speaker, index, at, borrowed="is", elided=True)
        if low in ("cannot",) and index == at:
            return _Span(speaker, index, at, elided=True)
        if (
            "third" in kinds
            and self.discourse.last
            and self.discourse.last.type == "person"
            and index == 0
            and low not in lex.BE
        ):
            return _Span(
                Subject("person", self.discourse.last.entity, self.discourse.last.name), index, at, elided=True
            )
        return None

    # clauses ----------------------------------------------------------------------------------------------------

    def _matrix(self, span: _Span, following: _Span, verb: str) -> bool:
        if verb in lex.THINK | lex.WISH:
            return span.subject is not None and following.subject is not None
        return verb in lex.SAY | {"ask"} and following.subject is not None and following.start - span.verb <= 4

    def _trim(self, verb: int, end: int) -> int:
        for at in range(verb + 1, end):
            if self.tokens[at].text in _STOPS or (
                self.tokens[at].low in ("because", "although", "though", "whereas") and at > verb + 1
            ):
                end = at
                break
            if self.tokens[at].text == "," and self._low(at + 1) in (
                "which",
                "lol",
                "right",
                "haha",
                "though",
                "you",
                "so",
                "but",
                "who",
                "and",
                "i",
            ):
                if self._low(at + 1) == "and" and at + 2 < end and end - at < 8:
                    continue
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
        if end - 2 > verb and self.tokens[end - 1].low in _BETWEEN and self.tokens[end - 2].low in ("and", "but"):
            end -= 2
        while end > verb + 1 and (
            self.tokens[end - 1].text in _BREAKS
            or self.tokens[end - 1].low in _LINKS | {"that", "who", "just", "lol", "till"}
            or not self.tokens[end - 1].text[:1].isalnum()
        ):
            if self.tokens[end - 1].low in ("'s", "%"):
                break
            end -= 1
        return end

    def _clause(self, span: _Span, end: int, verb: str, taken: str, *, conditional: bool) -> Clause | None:
        subject = span.subject
        assert subject is not None
        first = span.start if span.elided or span.borrowed else self._after_subject(span)
        words = list(self.tokens[first:end])
        spoken_to = any(token.low in ("you", "your", "yours", "yourself") for token in words)
        if spoken_to and not self.addressee and subject.kind != "addressee":
            return None
        predicate = person_en.third_person(
            self.text,
            words,
            span.verb - first,
            subject,
            self.discourse,
            borrowed=span.borrowed,
            addressee=self.addressee,
        )
        if not predicate:
            return None
        lead = self._lead(span)
        if lead:
            predicate = f"{predicate} {lead}"
        level = self._level(span, end, taken)
        return Clause(
            subject,
            predicate,
            verb,
            level,
            reported=taken == "say",
            conditional=conditional,
            elided=span.elided,
            start=self.tokens[span.start].start,
            end=self.tokens[end - 1].end,
        )

    def _after_subject(self, span: _Span) -> int:
        at = span.verb
        while at - 1 > span.start and self._skip(at - 1) > at - 1:
            at -= 1
        return at

    def _lead(self, span: _Span) -> str:
        """A time or place said before the subject: ``Last week I moved``."""
        start = span.start
        while (
            start > 0
            and self.tokens[start - 1].text not in {";", ":", "(", ")", "—"}
            and self.tokens[start - 1].low not in _LINKS
        ):
            start -= 1
        stop = span.start
        while stop > start and not self.tokens[stop - 1].text[:1].isalnum():
            stop -= 1
        if stop > start and self.tokens[start].low in _LEADS and span.start - start < 9 and not span.elided:
            words = self._slice(start, stop)
            return words[0].lower() + words[1:] if start not in self.at and self.tokens[start].low in _LEADS else words
        return ""

    def _level(self, span: _Span, end: int, taken: str) -> Level:
        words = {token.low for token in self.tokens[max(0, span.start - 3) : end]}
        if words & {"maybe", "perhaps", "might", "possibly", "wonder", "may"} and not (
            words & {"may"} and self._low(span.verb) != "may"
        ):
            return "speculation"
        if taken == "think" or words & {
            "probably",
            "apparently",
            "supposedly",
            "seems",
            "seem",
            "likely",
            "guess",
            "think",
            "reckon",
        }:
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
            person = self._renamed(subject)
            self.discourse.last = person
        elif subject.kind == "kin" and not subject.plural:
            sex = "f" if subject.role in lex.FEMALE else "m" if subject.role in lex.MALE else "u"
            person = self.discourse.name(subject.text, subject.type, sex, subject.entity)  # type: ignore[arg-type]
            self.discourse.last = person


_LEADS = frozenset(
    "yesterday today tonight tomorrow last next this in on at since after before during every for two three four five six a one "
    "recently back earlier until from monday tuesday wednesday thursday friday saturday sunday".split()
)


_PREPOSITIONS = frozenset(
    "with without of at for from in into on onto about to by near under over between against like".split()
)
_BETWEEN = frozenset("now today then currently also recently finally lately".split())
_INTERJECTIONS = frozenset(
    "oh ah well so and but yeah yes no hey ok okay wow thanks also then honestly anyway btw just finally ha aw right".split()
)
