"""English noun phrases and the finite verbs they meet: who a clause is about."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

from collections.abc import Sequence

from arandu_lab.llm.rules import lexicon_en as lex
from arandu_lab.llm.rules.clauses import Subject
from arandu_lab.llm.rules.discourse import Discourse
from arandu_lab.llm.rules.mentions import Mention
from arandu_lab.llm.rules.tokens import Token

ADVERBS = frozenset(
    "last also just really always never recently still already finally usually often sometimes actually probably definitely currently now only "
    "even totally absolutely rarely hardly barely mostly mainly normally generally basically literally honestly maybe perhaps apparently "
    "certainly simply quickly slowly nearly almost kind of sort ever then too soon lately not no longer both all somehow once newly "
    "officially neither".split()
)
FILLERS = frozenset(
    "just really actually honestly literally basically totally definitely simply kind of sort even absolutely finally".split()
)
_LINKS = frozenset(
    "and but or so because since cause when while if although though until after before whereas unless once plus then as "
    "except whether yet nor whenever wherever what where how why that who".split()
)
_CONDITIONAL = frozenset("if unless whether".split())
_EMBEDDED = frozenset("what where how why whether who".split())
_ADJECTIVES = frozenset(
    "old older oldest young younger youngest little big best good dear late new elder eldest twin lovely poor only middle "
    "great close closest childhood former current other baby dog's first second favourite favorite lab work gym".split()
)
_DETERMINERS = frozenset("the a an this that these those some every both all no another each most many".split())
_POSSESSIVES = frozenset("my our his her their your".split())
_BREAKS = frozenset({",", ";", ":", "(", ")", "-", "–", "—", '"', "“", "”"})
_STOPS = frozenset({"(", ")", ";", ":", "—", "–", "...", "…", "*"})
_NOUNS = frozenset(
    "birthday breakfast dinner company food gym home lunch meetings money people work soil team email weekend apple".split()
)
_GENERIC = frozenset("many most all some every each no these those both another".split())
_NO_NOUN = frozenset(
    "i we he she it they you that who which so and but or if when while because not me him them us".split()
)
_CALLED = frozenset("called named nicknamed".split())
"""``a cat called Mia``: before a name no finite verb but what stands for *who is called*."""
_BARE_PARENTS = frozenset("dad mum mom daddy mommy grandma grandpa granny nan".split())


class Phrases:
    """The noun phrases and verbs of one sentence, with the discourse they are resolved in."""

    def __init__(self, text: str, tokens: Sequence[Token], mentions: Sequence[Mention], discourse: Discourse) -> None:
        self.text, self.tokens, self.discourse = text, tokens, discourse
        self.at = {mention.first: mention for mention in mentions if mention.last <= len(self.tokens)}
        self.addressee = _vocative(self.tokens, list(self.at.values()))
        self.rest = False  # the later piece of a long sentence: its verb may have its subject in the piece before

    # noun phrases -----------------------------------------------------------------------------------------------

    def _subject(self, index: int, *, loose: bool) -> tuple[Subject, int] | None:
        """A noun phrase at ``index`` and the finite verb it meets. ``loose`` admits only phrases that are surely
        subjects.
        """
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
        joint = self.at.get(index + 2) if low in ("me", "i") and self._low(index + 1) in ("and", "&") else None
        if joint and joint.type in ("person", "concept") and (not index or not self.tokens[index - 1].word):
            both = f"{speaker} and {joint.name}"
            return [(Subject("speaker", speaker, both, plural=True, also=joint.name), joint.last)]
        if low == "i" or low == "we":
            return [(Subject("speaker", speaker, speaker, plural=low == "we"), index + 1)]
        if low in ("he", "she"):
            person = self.discourse.he_or_she("f" if low == "she" else "m")
            kind = (
                Subject("person", person.entity, person.name, type=person.type) if person else Subject("it", low, low)
            )
            return [(kind, index + 1)]
        if low in (
            "it",
            "this",
            "that",
            "there",
            "these",
            "those",
            "everyone",
            "everybody",
            "nobody",
            "someone",
            "somebody",
            "who",
            "what",
        ):
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
        if low in _BARE_PARENTS and (
            not index or not self.tokens[index - 1].word or self.tokens[index - 1].low in _LINKS
        ):
            return self._possessed(index - 1, speaker, index)
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
                joint = Subject(
                    "person", name, f"{name} and {other.name}", plural=True, also=other.name, type=mention.type
                )
                return [(joint, other.last), (Subject("person", name, name, type=mention.type), after)]
        subject = Subject("person" if mention.type in ("person", "pet") else "thing", name, name, type=mention.type)
        out = [(subject, self._aside(after))]
        if self._low(after) == "," and self._low(after + 1) == "who":
            out.insert(0, (subject, after + 2))
        elif self._low(after) == ",":
            closing = self._comma(after + 1, 8)
            if closing:
                out.append((subject, closing + 1))
        if self._low(after) == "who" or (self._low(after) == ":" and not index):
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
                end = mention.last + (
                    1 if self._low(mention.last) == "," and (comma or self._low(mention.last + 1) == "who") else 0
                )
                end = self._aside(end + (self._low(end) == "who"))
                return [(Subject("person", mention.name, mention.name, type=kind), end)]
            speaker = self.discourse.is_speaker(owner)
            known = self.discourse.relative(word) if speaker else None
            if known:
                return [(Subject("person", known, known, type=kind), self._aside(after))]
            if self._low(after) == "'s":
                return self._owned(f"{owner}'s {self._slice(start, after)}", after + 1, owner)
            if self._low(after) == "and" and self._low(after + 1) == "i" and speaker:
                return [
                    (Subject("speaker", owner, f"{owner} and {self.discourse.their} {word}", plural=True), after + 2)
                ]
            plural = word in lex.KIN_PLURAL
            text = f"{owner}'s {self._slice(start, after)}"
            entity = word if speaker and not pet else owner
            subject = Subject("kin", entity, text, plural=plural, role=word)
            out = [(subject, self._aside(after))]
            if self._low(after) == "who":
                out.append((subject, after + 1))
            return out
        return self._owned(owner, start, owner)

    def _owned(self, owner: str, start: int, entity: str) -> list[tuple[Subject, int]]:
        out = []
        for at in range(start + 1, min(start + 8, len(self.tokens))):
            if self.tokens[at].text in _BREAKS or not (self.tokens[at - 1].word or self.tokens[at - 1].text.isdigit()):
                break
            if self._finite(
                at, plural=self.tokens[at - 1].low.endswith("s") and not self.tokens[at - 1].low.endswith("ss")
            ):
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
            if (
                self.tokens[at].text in _BREAKS
                or before.low in _NO_NOUN
                or (before.low in _DETERMINERS and at - 1 > start)
            ):
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
        if not mention and low in _GENERIC:
            return []
        text = self._slice(index, at)
        entity = mention.name if mention else words
        return [(Subject("thing", entity, text[0].upper() + text[1:], type=mention.type if mention else "concept"), at)]

    @staticmethod
    def _noun_like(low: str) -> bool:
        return low in {
            "plans",
            "works",
            "plays",
            "shows",
            "runs",
            "walks",
            "drinks",
            "dances",
            "orders",
            "books",
            "calls",
            "texts",
            "trips",
        }

    # verbs ------------------------------------------------------------------------------------------------------

    def _verb(self, at: int, subject: Subject) -> int | None:
        at = self._skip(at)
        if at >= len(self.tokens) or not self.tokens[at].word:
            return None
        if self._agrees(at, subject):
            return at
        low = self.tokens[at].low
        if (
            subject.kind == "speaker"
            and not subject.also
            and low not in lex.COMMON
            and low.isalpha()
            and at not in self.at
        ):
            return (
                at
                if not low.endswith(("ing", "ly")) and at - 1 >= 0 and self.tokens[at - 1].low in ADVERBS | {"i", "we"}
                else None
            )
        return None

    def _agrees(self, at: int, subject: Subject) -> bool:
        low = self.tokens[at].low
        if low in ("be", "been", "being"):
            return False
        plain = (
            subject.kind in ("speaker", "they", "addressee")
            or subject.plural
            or (subject.kind == "it" and subject.text == "you")
        )
        if low in lex.AUX:
            return True if plain else low not in ("am", "are", "have", "do")
        kinds = {kind for _, kind in lex.forms().get(low, ())}
        if "past" in kinds:
            return True
        return "base" in kinds if plain else "third" in kinds

    def _finite(self, at: int, *, plural: bool) -> bool:
        if at >= len(self.tokens):
            return False
        low = self.tokens[at].low
        if low in lex.AUX:
            return low not in ("be", "been", "being", "am", "have", "do") or (plural and low in ("have", "do", "are"))
        if at in self.at or self.tokens[at].capital or (low in _CALLED and at + 1 in self.at):
            return False
        kinds = {kind for _, kind in lex.forms().get(low, ())}
        if (
            "past" in kinds
            and self._low(at + 1) != "by"
            and not (at and self.tokens[at - 1].low in _DETERMINERS | _ADJECTIVES)
        ):
            return True
        return ("third" in kinds and not plural and not self._noun_like(low)) or (
            plural and "base" in kinds and "past" not in kinds
        )

    def _skip(self, at: int) -> int:
        while at < len(self.tokens) and (
            self.tokens[at].low in ADVERBS
            or (
                self.tokens[at].low.endswith("ly")
                and self.tokens[at].low not in ("fly", "apply", "reply", "rely", "supply", "family")
            )
        ):
            at += 1
        return at

    def _lemma(self, at: int) -> str:
        if not 0 <= at < len(self.tokens):
            return ""
        return lex.lemma(self.tokens[at].low)

    def _low(self, at: int) -> str:
        return self.tokens[at].low if 0 <= at < len(self.tokens) else ""

    def _comma(self, start: int, reach: int) -> int | None:
        return next(
            (at for at in range(start, min(start + reach, len(self.tokens))) if self.tokens[at].text == ","), None
        )

    def _aside(self, at: int) -> int:
        """The place after a parenthesis that opens at ``at``; ``at`` itself where none does, or none that closes."""
        if self._low(at) != "(":
            return at
        reach = range(at + 1, min(at + 14, len(self.tokens)))
        return next((place + 1 for place in reach if self.tokens[place].text == ")"), at)

    def _slice(self, start: int, end: int) -> str:
        return self.text[self.tokens[start].start : self.tokens[end - 1].end] if end > start else ""


def _vocative(tokens: Sequence[Token], mentions: Sequence[Mention]) -> str | None:
    """The one spoken to: a person's name set off by a comma at either end of the sentence."""
    for mention in mentions:
        if mention.type != "person":
            continue
        after = tokens[mention.last].text if mention.last < len(tokens) else ""
        before = tokens[mention.first - 1].text if mention.first else ""
        if (mention.first == 0 and after == ",") or (mention.last >= len(tokens) and before == ","):
            return mention.name
        if (
            mention.first == 1
            and tokens[0].low in ("hey", "hi", "oh", "thanks", "yes", "no", "and", "so")
            and after in (",", "")
        ):
            return mention.name
    return None
