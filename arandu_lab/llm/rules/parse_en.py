"""English: a sentence as clauses, each with its subject resolved and its predicate in the third person.

No tagger and no tree: a clause begins where, after a boundary, a noun phrase meets a finite verb that agrees with it.
Predicates joined by *and* or *but* share the subject; *I think* and *she says* give way to what is thought or said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arandu_lab.llm.rules import lexicon_en as lex
from arandu_lab.llm.rules import person_en
from arandu_lab.llm.rules.clauses import Clause, Level, Subject
from arandu_lab.llm.rules.discourse import Discourse
from arandu_lab.llm.rules.mentions import Mention
from arandu_lab.llm.rules.tokens import Token

ADVERBS = frozenset(
    "also just really always never recently still already finally usually often sometimes actually probably definitely currently now only "
    "even totally absolutely rarely hardly barely mostly mainly normally generally basically literally honestly maybe perhaps apparently "
    "certainly simply quickly slowly nearly almost kind of sort ever then too soon lately not no longer both all somehow once newly "
    "officially".split()
)
FILLERS = frozenset("just really actually honestly literally basically totally definitely simply kind of sort even absolutely finally".split())
_LINKS = frozenset("and but or so because since cause when while if although though until after before whereas unless once plus then as "
                   "except whether yet nor whenever wherever what where how why that who".split())
_CONDITIONAL = frozenset("if unless whether".split())
_EMBEDDED = frozenset("what where how why whether who".split())
_ADJECTIVES = frozenset("old older oldest young younger youngest little big best good dear late new elder eldest twin lovely poor only middle "
                        "great close closest childhood former current other baby dog's first second favourite favorite lab work gym".split())
_DETERMINERS = frozenset("the a an this that these those some every both all no another each most many".split())
_POSSESSIVES = frozenset("my our his her their your".split())
_BREAKS = frozenset({",", ";", ":", "(", ")", "-", "–", "—", '"', "“", "”"})
_STOPS = frozenset({"(", ")", ";", ":", "—", "–", "...", "…", "*", "\""})
_NOUNS = frozenset("birthday breakfast dinner company food gym home lunch meetings money people work soil team email weekend apple".split())
_NO_NOUN = frozenset("i we he she it they you that who which so and but or if when while because not me him them us".split())
_MAX = 160


@dataclass(frozen=True, slots=True)
class _Span:
    subject: Subject | None
    start: int
    verb: int
    link: str = ""
    borrowed: str = ""
    elided: bool = False


class Reader:
    """Reads the clauses of one sentence, moving the discourse forward."""

    def __init__(self, text: str, tokens: Sequence[Token], mentions: Sequence[Mention], discourse: Discourse) -> None:
        self.text, self.tokens, self.discourse = text, tokens[:_MAX], discourse
        self.at = {mention.first: mention for mention in mentions if mention.last <= len(self.tokens)}
        self.addressee = _vocative(self.tokens, mentions)

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
                if verb in ("ask", "wonder"):
                    drop_next = "wish"
                continue
            taken, drop_next = drop_next, ""
            if taken == "wish" or span.link in _CONDITIONAL or (span.link in _EMBEDDED and index):
                continue
            if span.subject is None or span.subject.kind in ("it", "they"):
                continue
            clause = self._clause(span, end, verb, taken, conditional=any(other.link in _CONDITIONAL for other in spans))
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
            if not spans and boundary:
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
        if before.text in _BREAKS or not (before.word or before.text.isdigit() or before.low == "'s") or before.text in {"!", "."}:
            return True
        if before.low in ("that", "who"):
            return bool(spans) and index >= 2 and self._lemma(index - 2) in lex.THINK | lex.SAY | lex.WISH | {"me"}
        if before.low in _LINKS:
            return True
        if spans and self._lemma(index - 1) in lex.THINK | lex.WISH | lex.SAY and spans[-1].verb >= index - 3:
            return True
        if spans and before.low in ("me", "us", "him", "her", "them") and self._lemma(index - 2) in {"tell", "remind"}:
            return True
        return not spans and before.low in lex.COMMON

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
        if head in ("have", "has", "had") and "participle" in kinds and not comma and self._later(last.verb, "participle"):
            return _Span(last.subject, index, at, borrowed=head)
        if head in lex.MODAL and "base" in kinds and not comma:
            return _Span(last.subject, index, at, borrowed=head)
        past = any(kind == "past" for _, kind in lex.forms().get(head, ()))
        if "past" in kinds and (past or head in ("has", "have", "had", "was", "is", "am", "are")) and "base" not in kinds:
            return _Span(last.subject, index, at)
        plain = last.subject.kind == "speaker" or last.subject.plural
        if not comma and (("base" in kinds and plain) or ("third" in kinds and not plain)) and head not in lex.AUX:
            return _Span(last.subject, index, at)
        if "third" in kinds and not plain and not self._noun_like(low) and (not comma or self._who(last)):
            return _Span(last.subject, index, at)
        return None

    def _who(self, last: _Span) -> bool:
        return any(token.low == "who" for token in self.tokens[last.start : last.verb])

    @staticmethod
    def _noun_like(low: str) -> bool:
        return low in {"plans", "works", "plays", "shows", "runs", "walks", "drinks", "dances", "orders", "books", "calls", "texts", "trips"}

    def _later(self, verb: int, kind: str) -> bool:
        return any(any(found == kind for _, found in lex.forms().get(token.low, ())) for token in self.tokens[verb + 1 : verb + 5])

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
        if low == "been":
            return _Span(speaker, index, at, borrowed="has", elided=True)
        if "past" in kinds and "base" not in kinds and following not in ("by", ",") and low not in lex.AUX | {"said", "thought", "found"}:
            if low in lex.COMMON and following not in ("a", "the", "my", "to", "up", "out"):
                return None
            return _Span(speaker, index, at, elided=True)
        if "ing" in kinds and low not in ("being", "going", "speaking", "looking", "seeing", "talking", "having", "knowing") and index == at:
            return _Span(speaker, index, at, borrowed="is", elided=True)
        if low in ("cannot",) and index == at:
            return _Span(speaker, index, at, elided=True)
        if "third" in kinds and self.discourse.last and self.discourse.last.type == "person" and index == 0 and low not in lex.BE:
            return _Span(Subject("person", self.discourse.last.name, self.discourse.last.name), index, at, elided=True)
        return None

    # noun phrases -----------------------------------------------------------------------------------------------

    def _subject(self, index: int, *, loose: bool) -> tuple[Subject, int] | None:
        """A noun phrase at ``index`` and the finite verb it meets. ``loose`` admits only phrases that are surely subjects."""
        token = self.tokens[index]
        if not token.word:
            return None
        for subject, after in self._phrases(index, loose=loose):
            verb = self._verb(after, subject)
            if verb is not None:
                return subject, verb
            if subject.kind in ("owned", "thing"):
                continue
        return None

    def _phrases(self, index: int, *, loose: bool) -> list[tuple[Subject, int]]:
        token = self.tokens[index]
        low = token.low
        speaker = self.discourse.speaker
        if low == "i" or low == "we":
            return [(Subject("speaker", speaker, speaker, plural=low == "we"), index + 1)]
        if low in ("he", "she"):
            person = self.discourse.he_or_she("f" if low == "she" else "m")
            kind = Subject("person", person.name, person.name, type=person.type) if person else Subject("it", low, low)
            return [(kind, index + 1)]
        if low in ("it", "this", "that", "there", "these", "those", "everyone", "everybody", "nobody", "someone", "somebody", "who", "what"):
            if low in ("it", "there") or not loose:
                found = [(Subject("it", low, low), index + 1)]
                return found if low not in ("this", "that", "these", "those") else found + self._things(index)
            return []
        if low == "they":
            return [(Subject("they", low, low, plural=True), index + 1)]
        if low == "you":
            name = self.addressee
            return [(Subject("addressee" if name else "it", name or low, name or low), index + 1)]
        if index in self.at:
            return self._named(index)
        if low in _POSSESSIVES:
            return self._possessed(index, self._owner(low), index + 1)
        if loose:
            return []
        if low in _DETERMINERS or (token.word and low not in lex.COMMON and low not in lex.AUX and low not in ADVERBS):
            return self._things(index)
        return []

    def _owner(self, low: str) -> str | None:
        if low in ("my", "our"):
            return self.discourse.speaker
        if low in ("his", "her"):
            person = self.discourse.he_or_she("f" if low == "her" else "m")
            return person.name if person else None
        return self.addressee if low == "your" else None

    def _named(self, index: int) -> list[tuple[Subject, int]]:
        mention = self.at[index]
        after = mention.last
        name = mention.name
        if self._low(after) == "'s":
            return self._possessed(index, name, after + 1)
        if self._low(after) in ("and", "&"):
            if self._low(after + 1) in ("i", "me", "myself"):
                speaker = self.discourse.speaker
                return [(Subject("speaker", speaker, f"{speaker} and {name}", plural=True, also=name), after + 2)]
            other = self.at.get(after + 1)
            if other and other.type == mention.type:
                joint = Subject("person", name, f"{name} and {other.name}", plural=True, also=other.name, type=mention.type)
                return [(joint, other.last), (Subject("person", name, name, type=mention.type), after)]
        subject = Subject("person" if mention.type in ("person", "pet") else "thing", name, name, type=mention.type)
        out = [(subject, after)]
        if self._low(after) == "," and self._low(after + 1) == "who":
            out.insert(0, (subject, after + 2))
        elif self._low(after) == ",":
            closing = self._comma(after + 1, 8)
            if closing:
                out.append((subject, closing + 1))
        if self._low(after) == "who":
            out.append((subject, after + 1))
        return out

    def _possessed(self, index: int, owner: str | None, at: int) -> list[tuple[Subject, int]]:
        """What follows a possessive: a relative (named or not), a pet, or a thing of the owner's."""
        start = at
        while self._low(at) in _ADJECTIVES and at - start < 3:
            at += 1
        word = self._low(at)
        slot = lex.KIN.get(word) or lex.KIN_PLURAL.get(word)
        pet = word in lex.PETS
        if not owner:
            return [] if not (slot or pet) else [(Subject("it", word, word), at + 1)]
        if slot or pet:
            after = at + 1
            kind = "pet" if pet else "person"
            comma = self._low(after) == ","
            mention = self.at.get(after + 1 if comma else after)
            if mention and self._low(mention.last) != "'s":
                end = mention.last + (1 if self._low(mention.last) == "," and (comma or self._low(mention.last + 1) == "who") else 0)
                end += self._low(end) == "who"
                return [(Subject("person", mention.name, mention.name, type=kind), end)]
            speaker = self.discourse.is_speaker(owner)
            known = self.discourse.relative(word) if speaker else None
            if known:
                return [(Subject("person", known, known, type=kind), after)]
            if self._low(after) == "'s":
                return self._owned(f"{owner}'s {self._slice(start, after)}", after + 1, owner)
            if self._low(after) == "and" and self._low(after + 1) == "i" and speaker:
                return [(Subject("speaker", owner, f"{owner} and {self.discourse.their} {word}", plural=True), after + 2)]
            plural = word in lex.KIN_PLURAL
            text = f"{owner}'s {self._slice(start, after)}"
            subject = Subject("kin", word, text, plural=plural, role=word, type=kind)
            out = [(subject, after)]
            if self._low(after) == "who":
                out.append((subject, after + 1))
            return out
        return self._owned(owner, start, owner)

    def _owned(self, owner: str, start: int, entity: str) -> list[tuple[Subject, int]]:
        out = []
        for at in range(start + 1, min(start + 8, len(self.tokens))):
            if self.tokens[at].text in _BREAKS or not (self.tokens[at - 1].word or self.tokens[at - 1].text.isdigit()):
                break
            if self._finite(at, plural=self.tokens[at - 1].low.endswith("s") and not self.tokens[at - 1].low.endswith("ss")):
                text = f"{owner}'s {self._slice(start, at)}"
                out.append((Subject("owned", entity, text, type="thing"), at))
                break
        return out

    def _things(self, index: int) -> list[tuple[Subject, int]]:
        """``The server room is``: a thing without a name; an event or belonging is the speaker's."""
        low = self.tokens[index].low
        start = index + (low in _DETERMINERS)
        for at in range(start + 1, min(start + 9, len(self.tokens))):
            before = self.tokens[at - 1]
            if self.tokens[at].text in _BREAKS or before.low in _NO_NOUN or (before.low in _DETERMINERS and at - 1 > start):
                break
            if self._finite(at, plural=before.low.endswith("s") and not before.low.endswith("ss")):
                return self._thing(index, start, at)
        return []

    def _thing(self, index: int, start: int, at: int) -> list[tuple[Subject, int]]:
        words = self._slice(start, at)
        nouns = [token.low for token in self.tokens[start:at]]
        low = self.tokens[index].low
        if nouns[0] in lex.COMMON - _NOUNS or nouns[-1] in lex.AUX or nouns[-1] in lex.COMMON - _NOUNS:
            return []
        mention = next((self.at[place] for place in range(start, at) if place in self.at), None)
        personal = any(word in lex.EVENTS or word in lex.OWNED for word in nouns) and not mention
        if index == start and (len(nouns) > 2 or not personal):
            return []
        if personal and low in ("the", "this", nouns[0]):
            words = words[0].lower() + words[1:]
            return [(Subject("owned", self.discourse.speaker, f"{self.discourse.speaker}'s {words}", type="thing"), at)]
        text = self._slice(index, at)
        entity = mention.name if mention else words
        return [(Subject("thing", entity, text[0].upper() + text[1:], type=mention.type if mention else "concept"), at)]

    # verbs ------------------------------------------------------------------------------------------------------

    def _verb(self, at: int, subject: Subject) -> int | None:
        at = self._skip(at)
        if at >= len(self.tokens) or not self.tokens[at].word:
            return None
        if self._agrees(at, subject):
            return at
        low = self.tokens[at].low
        if subject.kind == "speaker" and not subject.also and low not in lex.COMMON and low.isalpha() and at not in self.at:
            return at if not low.endswith(("ing", "ly")) and at - 1 >= 0 and self.tokens[at - 1].low in ADVERBS | {"i", "we"} else None
        return None

    def _agrees(self, at: int, subject: Subject) -> bool:
        low = self.tokens[at].low
        if low in ("be", "been", "being"):
            return False
        plain = subject.kind in ("speaker", "they", "addressee") or subject.plural or (subject.kind == "it" and subject.text == "you")
        if low in lex.AUX:
            return True if plain else low not in ("am", "are", "have", "do")
        kinds = {kind for _, kind in lex.forms().get(low, ())}
        if "past" in kinds:
            return True
        return "base" in kinds if plain else "third" in kinds

    def _finite(self, at: int, *, plural: bool) -> bool:
        low = self.tokens[at].low
        if low in lex.AUX:
            return low not in ("be", "been", "being", "am", "have", "do") or (plural and low in ("have", "do", "are"))
        if at in self.at or self.tokens[at].capital:
            return False
        kinds = {kind for _, kind in lex.forms().get(low, ())}
        if "past" in kinds and self._low(at + 1) != "by" and not (at and self.tokens[at - 1].low in _DETERMINERS | _ADJECTIVES):
            return True
        return ("third" in kinds and not plural and not self._noun_like(low)) or (plural and "base" in kinds and "past" not in kinds)

    def _skip(self, at: int) -> int:
        while at < len(self.tokens) and (self.tokens[at].low in ADVERBS or (self.tokens[at].low.endswith("ly") and self.tokens[at].low not in
                                                                            ("fly", "apply", "reply", "rely", "supply", "family"))):  # fmt: skip
            at += 1
        return at

    def _lemma(self, at: int) -> str:
        if not 0 <= at < len(self.tokens):
            return ""
        return lex.lemma(self.tokens[at].low)

    def _low(self, at: int) -> str:
        return self.tokens[at].low if 0 <= at < len(self.tokens) else ""

    def _comma(self, start: int, reach: int) -> int | None:
        return next((at for at in range(start, min(start + reach, len(self.tokens))) if self.tokens[at].text == ","), None)

    def _slice(self, start: int, end: int) -> str:
        return self.text[self.tokens[start].start : self.tokens[end - 1].end] if end > start else ""

    # clauses ----------------------------------------------------------------------------------------------------

    def _matrix(self, span: _Span, following: _Span, verb: str) -> bool:
        if verb in lex.THINK | lex.WISH:
            return span.subject is not None and following.subject is not None
        return verb in lex.SAY | {"ask"} and following.subject is not None and following.start - span.verb <= 4

    def _trim(self, verb: int, end: int) -> int:
        for at in range(verb + 1, end):
            if self.tokens[at].text in _STOPS or (self.tokens[at].low in ("because", "although", "though", "whereas") and at > verb + 1):
                end = at
                break
            if self.tokens[at].text == "," and self._low(at + 1) in ("which", "lol", "right", "haha", "though", "you", "so", "but", "who", "and", "i"):
                if self._low(at + 1) == "and" and at + 2 < end and end - at < 8:
                    continue
                end = at
                break
        if self.addressee and end - 2 > verb and self.tokens[end - 2].text == "," and end - 1 in self.at and self.at[end - 1].name == self.addressee:
            end -= 2
        while end > verb + 1 and (self.tokens[end - 1].text in _BREAKS or self.tokens[end - 1].low in _LINKS | {"that", "who", "just", "lol"}
                                  or not self.tokens[end - 1].text[:1].isalnum()):  # fmt: skip
            if self.tokens[end - 1].low in ("'s", "%"):
                break
            end -= 1
        return end

    def _clause(self, span: _Span, end: int, verb: str, taken: str, *, conditional: bool) -> Clause | None:
        subject = span.subject
        assert subject is not None
        first = span.start if span.elided or span.borrowed else self._after_subject(span)
        words = list(self.tokens[first:end])
        if any(token.low in ("you", "your", "yours", "yourself") for token in words) and not self.addressee:
            if subject.kind != "addressee":
                return None
        predicate = person_en.third_person(self.text, words, span.verb - first, subject, self.discourse, borrowed=span.borrowed,
                                           addressee=self.addressee)  # fmt: skip
        if not predicate:
            return None
        lead = self._lead(span)
        if lead:
            predicate = f"{predicate} {lead}"
        level = self._level(span, end, taken)
        return Clause(subject, predicate, verb, level, reported=taken == "say", conditional=conditional, elided=span.elided)

    def _after_subject(self, span: _Span) -> int:
        at = span.verb
        while at - 1 > span.start and self._skip(at - 1) == at:
            at -= 1
        return at

    def _lead(self, span: _Span) -> str:
        """A time or place said before the subject: ``Last week I moved``."""
        start = span.start
        while start > 0 and self.tokens[start - 1].text not in {";", ":", "(", ")", "—"} and self.tokens[start - 1].low not in _LINKS:
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
        if words & {"maybe", "perhaps", "might", "possibly", "wonder", "may"} and not (words & {"may"} and self._low(span.verb) != "may"):
            return "speculation"
        if taken == "think" or words & {"probably", "apparently", "supposedly", "seems", "seem", "likely", "guess", "think", "reckon"}:
            return "weak"
        return "strong" if taken == "say" else "explicit"

    def _remember(self, subject: Subject) -> None:
        if subject.kind == "person":
            person = self.discourse.name(subject.entity, subject.type)
            self.discourse.last = person
        elif subject.kind == "kin" and not subject.plural:
            sex = "f" if subject.role in lex.FEMALE else "m" if subject.role in lex.MALE else "u"
            person = self.discourse.name(subject.text, subject.type, sex)  # type: ignore[arg-type]
            self.discourse.last = person


_LEADS = frozenset("yesterday today tonight tomorrow last next this in on at since after before during every for two three four five six a one "
                   "recently back earlier until from monday tuesday wednesday thursday friday saturday sunday".split())


def _vocative(tokens: Sequence[Token], mentions: Sequence[Mention]) -> str | None:
    """The one spoken to: a person's name set off by a comma at either end of the sentence."""
    for mention in mentions:
        if mention.type != "person":
            continue
        after = tokens[mention.last].text if mention.last < len(tokens) else ""
        before = tokens[mention.first - 1].text if mention.first else ""
        if (mention.first == 0 and after == ",") or (mention.last >= len(tokens) and before == ","):
            return mention.name
        if mention.first == 1 and tokens[0].low in ("hey", "hi", "oh", "thanks", "yes", "no", "and", "so") and after in (",", ""):
            return mention.name
    return None


def joined(clause: Clause, predicate: str) -> Clause:
    """The clause with another predicate."""
    return replace(clause, predicate=predicate)
