"""Statements told by construction, by answer and by hearsay, in sentences of our own."""

from __future__ import annotations

import pytest

from arandu_lab.llm.rules import answer
from arandu_lab.llm.rules.questions import asks
from arandu_lab.llm.rules.sayings import _TABLE, say
from arandu_lab.llm.rules.slots import detect_slot


def told(message: str, *recent: str, speaker: str = "Joe") -> list[dict[str, object]]:
    """The facts of a message."""
    inputs = {
        "message": message,
        "speaker": speaker,
        "sent_at": "2024-05-20T12:00:00-03:00",
        "sent_on": "",
        "recent_messages": list(recent),
        "known": [],
    }
    found: list[dict[str, object]] = answer("extract", inputs)["facts"]
    return found


def texts(message: str, *recent: str, speaker: str = "Joe") -> list[str]:
    """What the facts of a message say."""
    return [str(fact["text"]) for fact in told(message, *recent, speaker=speaker)]


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("After ten years in Rome, Oslo is home now", "Joe lives in Oslo, after Rome"),
        ("Mia resides in Leeds", "Mia lives in Leeds"),
        ("Mia's roots are in Galway", "Mia is from Galway"),
        ("Nortek laid me off", "Joe no longer works at Nortek"),
        ("plumber by profession, that's me", "Joe is a plumber"),
        ("geology is what I'm studying", "Joe studies geology"),
        ("Leo Marsh is the man I'm seeing", "Joe is dating Leo Marsh"),
        ("Leo Marsh dumped me", "Joe is no longer dating Leo Marsh"),
        ("Leo Marsh manages me", "Joe's boss is Leo Marsh"),
        ("I follow a vegan diet", "Joe follows a vegan diet"),
        ("jazz is my favourite kind of music", "Joe likes jazz"),
        ("I've lost interest in jazz", "Joe no longer likes jazz"),
        ("olives make me sick", "Joe dislikes olives"),
        ("pottery keeps me sane on weekends", "Joe's hobby is pottery"),
        ("my walnuts allergy has gone", "Joe is no longer allergic to walnuts"),
        ("a kayak is among my belongings", "Joe owns a kayak"),
        ("my kayak got stolen", "Joe no longer owns a kayak"),
        ("Mia is no longer involved in Project Orchid", "Mia is no longer working on Project Orchid"),
        ("I've quit the Rowing Club", "Joe has quit the Rowing Club"),
        ("sciatica has been bothering me", "Joe has sciatica"),
        ("my sciatica has cleared up", "Joe no longer has sciatica"),
        ("the wedding was cancelled", "Joe cancelled the wedding"),
        ("new rule of mine since Monday: I skip breakfast", "Joe skips breakfast"),
    ],
)
def test_english_constructions(message: str, fact: str) -> None:
    """The verb alone would not tell: the construction does."""
    assert texts(message) == [fact]


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("minha nova cidade é Natal", "Rui mora em Natal"),
        ("a Nortek me mandou embora", "Rui não trabalha mais em Nortek"),
        ("Lia exerce a profissão de encanadora", "Lia é encanadora"),
        ("tranquei a faculdade de geologia", "Rui não estuda mais geologia"),
        ("meu relacionamento com Léo Prado acabou", "Rui não namora mais Léo Prado"),
        ("trabalho sob o comando do Léo Prado", "Rui tem Léo Prado como chefe"),
        ("4 de maio é meu aniversário", "Rui faz aniversário em 4 de maio"),
        ("jazz é minha paixão", "Rui gosta de jazz"),
        ("enjoei de jazz", "Rui não gosta mais de jazz"),
        ("azeitona não me desce", "Rui não gosta de azeitona"),
        ("no tempo livre faço cerâmica", "Rui tem cerâmica como hobby"),
        ("nozes me dão alergia", "Rui é alérgico a nozes"),
        ("Lia domina o dinamarquês", "Lia fala dinamarquês"),
        ("roubaram meu caiaque", "Rui não tem mais um caiaque"),
        ("Lia pertence ao Clube de Remo", "Lia faz parte de Clube de Remo"),
        ("o Léo Prado saiu lá de casa", "Rui não mora mais com Léo Prado"),
        ("a ciática da Lia passou", "Lia não está mais com ciática"),
        ("o casamento foi cancelado", "Rui cancelou o casamento"),
        ("sempre acordo às seis", "Rui sempre acorda às seis"),
    ],
)
def test_portuguese_constructions(message: str, fact: str) -> None:
    """The same in Portuguese, where the ending of the verb tells whose it is."""
    assert texts(message, speaker="Rui") == [fact]


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("I no longer work as a plumber", "Joe no longer works as a plumber"),
        ("já não trabalho como encanador", "Rui já não trabalha como encanador"),
        ("já não falo dinamarquês", "Rui não fala mais dinamarquês"),
    ],
)
def test_a_negation_turns_a_construction_about(message: str, fact: str) -> None:
    """What is denied is never stated as holding."""
    assert texts(message, speaker="Rui" if fact.startswith("Rui") else "Joe") == [fact]


@pytest.mark.parametrize(
    ("message", "new", "old"),
    [
        ("I'm not a plumber any more, I'm a baker now", "Joe is a baker", "plumber"),
        ("Mia swapped chemistry for geology at uni", "Mia studies geology", "chemistry"),
        ("não sou mais encanador, agora sou padeiro", "Joe é padeiro", "encanador"),
        ("Lia trocou Recife por Natal", "Lia mora em Natal", "Recife"),
    ],
)
def test_a_change_states_the_new_and_keeps_the_old(message: str, new: str, old: str) -> None:
    """One fact: the new value first, what it replaced after it."""
    (fact,) = texts(message)
    assert fact.startswith(new)
    assert old in fact


@pytest.mark.parametrize(
    ("question", "reply", "fact"),
    [
        ("Ana: What are you allergic to, Joe?", "Only aspirin.", "Joe is allergic to aspirin"),
        ("Ana: Joe, who do you report to these days?", "Leo Marsh, for now", "Joe's boss is Leo Marsh"),
        ("Ana: which city are you based in now, Joe?", "sunny Valencia", "Joe lives in Valencia"),
        ("Ana: any pets at home, Joe?", "yes, a rabbit called Clover", "Joe has a rabbit called Clover"),
        ("Ana: Joe, what do you do for a living?", "a midwife, mostly nights", "Joe is a midwife"),
        ("Ana: how do you unwind, Joe?", "Archery, when I find the time", "Joe's hobby is archery"),
        ("Ana: when's your birthday, Joe?", "3 October, save the date", "Joe's birthday is 3 October"),
        ("Ana: Joe, você mora com quem?", "com o Caio Prado, por enquanto", "Joe mora com Caio Prado"),
        ("Ana: Joe, qual é a tua profissão?", "parteiro, com orgulho", "Joe é parteiro"),
        ("Ana: do que você tem alergia, Joe?", "só a camarão", "Joe é alérgico a camarão"),
        ("Ana: em que cidade cê tá morando, Joe?", "em Olinda, faz tempo", "Joe mora em Olinda"),
    ],
)
def test_an_answer_of_less_than_a_sentence(question: str, reply: str, fact: str) -> None:
    """The subject is who answers, the attribute is what was asked."""
    assert texts(reply, question) == [fact]


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Ana: any pets at home, Joe?", "no idea"),
        ("Ana: any pets at home, Joe?", "Good question"),
        ("Ana: any allergies, Bruno?", "so true"),
        ("Ana: what do you love most, Bruno?", "great minds"),
        ("Ana: really, Joe?", "Rotterdam"),
        ("Joe: where do you live, Ana?", "Rotterdam"),
        ("Ana: Joe, você tem alergia?", "não"),
        ("Ana: Joe, você tem hobby?", "boa pergunta"),
    ],
)
def test_what_answers_nothing_states_nothing(question: str, reply: str) -> None:
    """Evasion, small talk, a question to somebody else, one's own question."""
    assert texts(reply, question) == []


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("Rumour has it Mia moved to Leeds", "Mia lives in Leeds"),
        ("people say that Mia hates opera", "Mia hates opera"),
        ("Mia is vegan now, from what I hear", "Mia is vegan now"),
        ("diz o povo que Lia detesta ópera", None),
        ("ouvi falar que Lia virou padeira", "Lia virou padeira"),
        ("segundo as más línguas, Lia namora Caio Prado", "Lia namora Caio Prado"),
    ],
)
def test_hearsay_is_weak(message: str, fact: str | None) -> None:
    """The frame goes, and the confidence with it."""
    found = told(message)
    if fact is not None:
        assert [(one["text"], one["confidence"]) for one in found] == [(fact, "weak")]
    assert all(one["confidence"] != "explicit" or fact is None for one in found)


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("scratch that, I meant Danish: I speak Danish", "Joe speaks Danish"),
        ("my mistake, not Leeds: Mia lives in York", "Mia lives in York"),
        ("me confundi, o certo é York: Lia mora em York", "Lia mora em York"),
        ("olives? not for me", "Joe dislikes olives"),
        ("azeitona? tô fora", "Joe não gosta de azeitona"),
        ("By the way, I've taken up pottery", "Joe has taken up pottery"),
    ],
)
def test_frames_around_a_statement_fall_away(message: str, fact: str) -> None:
    """Corrections, topics put first and turns of talk leave the statement alone."""
    assert texts(message) == [fact]


@pytest.mark.parametrize(
    "message",
    [
        "What a day, honestly",
        "Do you live in Leeds?",
        "who wants coffee?",
        "I read all the messages just now",
        "if I lived in Leeds I'd walk to work",
        "perdi o fio da meada",
        "li todas as mensagens agora",
        "quem aí mora em Natal?",
        "se eu morasse em Natal, ia à praia todo dia",
        "boa noite, gente",
    ],
)
def test_talk_states_nothing(message: str) -> None:
    """Questions, suppositions and talk about the talk are no facts."""
    assert texts(message) == []


def test_a_pronoun_means_the_last_person_that_fits() -> None:
    """Neither a project nor a pet takes up a job; the sex decides."""
    recent = ("Ana: Mia joined Project Heron", "Ana: Otto is fine")
    assert texts("She gets an allergic reaction from aspirin", *recent) == ["Mia is allergic to aspirin"]
    assert texts("He's on the payroll at Nortek", *recent) == ["Otto works at Nortek"]


def test_a_full_name_that_begins_as_a_speaker_is_one_name() -> None:
    """*Ingrid Rasmussen* is not Ingrid, though Ingrid speaks in the chat."""
    facts = told("Ingrid Rasmussen is a member of the Chapel Ringers", "Ingrid: hello")
    assert [fact["subject"] for fact in facts] == ["Ingrid Rasmussen"]


@pytest.mark.parametrize("language", ["en", "pt"])
def test_what_is_said_is_read_as_the_same_attribute(language: str) -> None:
    """The plain sentence of an attribute reads back as that attribute."""
    values = {"boss": "Leo Marsh", "partner": "Leo Marsh", "spouse": "Leo Marsh", "friend": "Leo Marsh", "pet": "Rex"}
    names = {"lives_in": "Leeds", "from": "Leeds", "works_at": "Nortek", "studies_at": "Oxford University"}
    words = {
        "has_role": "nurse" if language == "en" else "enfermeira",
        "diet": "vegan" if language == "en" else "vegana",
    }
    for slot in (
        "lives_in",
        "from",
        "works_at",
        "has_role",
        "partner",
        "boss",
        "diet",
        "likes",
        "allergy",
        "pet",
        "member_of",
    ):
        value = {**values, **names, **words}.get(slot, "Jazz Club")
        kind = "dog" if language == "en" else "cachorro"
        said = say(slot, "Mia", value, language, kind=kind if slot == "pet" else "")  # type: ignore[arg-type]
        assert detect_slot(said, language).name == slot, said  # type: ignore[arg-type]


def test_both_languages_say_the_same_attributes() -> None:
    """No attribute that one language can say is missing from the other."""
    assert _TABLE["en"].keys() == _TABLE["pt"].keys()


def test_what_a_question_asks() -> None:
    """Attributes are told apart by the question's words; talk asks nothing."""
    assert asks("got a partner, Joe? are you dating?", "en") == "partner"
    assert asks("what's your pet hate?", "en") == "dislikes"
    assert asks("you don't say?", "en") == ""
    assert asks("cê trabalha com quê?", "pt") == "has_role"
    assert asks("trabalha onde?", "pt") == "works_at"
