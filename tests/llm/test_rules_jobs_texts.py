"""What the rules say when background jobs ask, in English and Portuguese: example by example."""

from __future__ import annotations

from typing import Any

import pytest

from arandu_lab.llm.rules import answer


def facts(*lines: str | tuple[str, str], subject: str = "") -> list[dict[str, Any]]:
    """Facts as a job shows them; a pair is (since, text)."""
    pairs = [line if isinstance(line, tuple) else ("2024-01-01", line) for line in lines]
    return [{"i": i, "text": text, "since": since, "subject": subject} for i, (since, text) in enumerate(pairs)]


def events(*lines: tuple[str, str, str]) -> list[dict[str, Any]]:
    """Events from (speaker, at, text)."""
    return [{"i": i, "speaker": speaker, "at": at, "text": text} for i, (speaker, at, text) in enumerate(lines)]


def observed(**inputs: Any) -> list[tuple[str, str]]:
    """Kinds and texts of the observations."""
    return [(one["kind"], one["text"]) for one in answer("consolidate", inputs)["observations"]]


@pytest.mark.parametrize(
    ("name", "lines", "language", "said"),
    [
        (
            "Marcos Tavares",
            ["Marcos lives in Porto Alegre", "Marcos Tavares is a product manager", "Marcos is married to Carolina", "Marcos is allergic to shrimp", "Marcos likes jazz", "Marcos likes long walks"],
            "english",
            "Marcos Tavares is a product manager and lives in Porto Alegre. Marcos Tavares is married to Carolina and is allergic to shrimp. Marcos Tavares likes long walks and jazz.",
        ),
        (
            "Nina",
            ["Nina mora em Olinda", "Nina é médica", "O chefe de Nina é Rui Prado", "Nina tem alergia a látex", "Nina adora forró"],
            "portuguese",
            "Nina é médica e mora em Olinda. Nina tem Rui Prado como chefe e tem alergia a látex. Nina adora forró.",
        ),
        ("Nina", ["Nina mora em Olinda", "Nina gosta de jazz"], "english", "Nina lives in Olinda. Nina likes jazz."),
        ("Nina", ["Nina lives in Olinda", "Nina likes jazz"], "portuguese", "Nina mora em Olinda. Nina gosta de jazz."),
        ("Nina", [("2023-01-01", "Nina lives in Recife"), ("2024-01-01", "Nina moved to Natal")], "english", "Nina moved to Natal."),
    ],
)  # fmt: skip
def test_summaries(name: str, lines: list[Any], language: str, said: str) -> None:
    """Who first, then with whom, then what else; what is alike is merged; of two homes the later one is told."""
    assert answer("summary", {"name": name, "facts": facts(*lines), "language": language})["summary"] == said


def test_summaries_have_at_most_three_sentences_and_profiles_cover_more() -> None:
    """The summary is three sentences however many facts there are; the profile keeps allergies, hobbies and dated events."""
    lines = [
        f"Ana {said}"
        for said in (
            "is a nurse",
            "lives in Recife",
            "is dating Rui",
            "is allergic to latex",
            "likes jazz",
            "speaks Greek",
        )
    ]
    lines += ["Ana's hobby is pottery", "Ana has a dog called Thor", "Ana went to Oslo on 3 May 2024", "Ana owns a van"]
    asked = {"name": "Ana", "facts": facts(*lines)}
    summary, profile = answer("summary", asked)["summary"], answer("profile", asked)["profile"]
    assert summary.count(".") <= 3
    for word in "nurse Recife Rui latex jazz Greek pottery Thor Oslo van".split():
        assert word in profile


def test_profile_without_facts_keeps_the_one_so_far() -> None:
    """No facts say nothing against the profile; with facts they are the authority."""
    assert answer("profile", {"name": "Ana", "profile": "Lives in Natal."})["profile"] == "Lives in Natal."
    assert (
        "Natal"
        not in answer("profile", {"name": "Ana", "profile": "Lives in Natal.", "facts": facts("Ana sings")})["profile"]
    )


def test_two_people_of_one_name_are_not_blended() -> None:
    """Facts that name two longer names are told of each by that name."""
    lines = ["Ana Dias lives in Recife", "Ana Prado lives in Natal", "Ana likes jazz"]
    said = answer("profile", {"name": "Ana", "facts": facts(*lines)})["profile"]
    assert "Ana Dias lives in Recife." in said
    assert "Ana Prado lives in Natal." in said
    assert "Ana likes jazz." in said


def test_clusters_as_the_document_shows_them() -> None:
    """The label says what the facts are about, the summary tells each subject in one sentence."""
    team = facts(
        "Fernanda works at Orion Tech",
        "Bruno works at Orion Tech",
        "Fernanda built the data pipeline",
        "Bruno developed the ML model",
    )
    found = answer("cluster", {"name": "Orion Tech", "type": "organization", "facts": team})
    assert found["label"] == "Orion Tech: work"
    assert (
        found["summary"]
        == "Bruno works at Orion Tech and developed the ML model. Fernanda works at Orion Tech and built the data pipeline."
    )
    topic = answer("cluster", {"name": "Ana", "topic": "ferries", "facts": facts("Ana likes ferries")})
    assert topic["label"] == "Ana: ferries"
    assert len(answer("cluster", {"name": "A" * 99, "facts": team})["label"]) <= 80
    assert (
        answer("cluster", {"name": "Ana", "facts": facts("Ana mora em Natal"), "language": "portuguese"})["label"]
        == "Ana: casa"
    )


def test_themes_name_what_clusters_share() -> None:
    """A name in two clusters connects them, in either language; without one the clusters are listed."""
    clusters = [
        {"i": 0, "label": "Ana: work", "summary": "Ana works at Vertix."},
        {"i": 1, "label": "Rui: work", "summary": "Rui left Vertix."},
    ]
    assert answer("theme", {"clusters": clusters})["label"] == "Vertix: Ana and Rui"
    assert answer("theme", {"clusters": clusters, "language": "portuguese"})["summary"].startswith(
        "Vertix liga Ana e Rui."
    )
    apart = [{"i": 0, "label": "Ana", "summary": "Ana sings."}, {"i": 1, "label": "Rui", "summary": "Rui rows."}]
    assert answer("theme", {"clusters": apart}) == {"label": "Ana and Rui", "summary": "Ana sings. Rui rows."}


@pytest.mark.parametrize(
    ("lines", "text", "premises"),
    [
        ([("2024-03-05", "Ana went to a Python meetup on 5 March 2024"), ("2024-04-03", "Ana went to the Python meetup"), ("2024-05-07", "Ana went to a Python meetup")], "Ana regularly goes to Python meetups", [0, 1, 2]),
        ([("2024-03-05", "Ana foi a um meetup de Python em 5 de março de 2024"), ("2024-04-03", "Ana foi a um meetup de Python em Recife"), ("2024-05-07", "Ana foi a um meetup de Python")], "Ana vai regularmente a meetups de Python", [0, 1, 2]),
        ([("2024-03-05", "Ana went to a Python meetup"), ("2024-04-03", "Ana went to the Python meetup")], "Ana went to a Python meetup more than once", [0, 1]),
        ([("2024-03-05", "Ana foi à academia"), ("2024-03-12", "Ana foi à academia com Rui"), ("2024-03-19", "Ana foi à academia de novo")], "Ana vai regularmente à academia às terças", [0, 1, 2]),
    ],
)  # fmt: skip
def test_episodes_are_distilled(lines: list[Any], text: str, premises: list[int]) -> None:
    """Three dates make a habit, two make "more than once", with all premises named; said before, it is not said again."""
    found = answer("distil", {"name": "Ana", "facts": facts(*lines)})["facts"]
    assert [(one["text"], one["premises"]) for one in found] == [(text, premises)]
    assert answer("distil", {"name": "Ana", "facts": facts(*lines), "known": [{"i": 0, "text": text}]})["facts"] == []


@pytest.mark.parametrize(
    "lines",
    [
        [("2024-03-05", "Ana went to a party"), ("2024-03-05", "Ana went to the party with Rui")],
        [("2024-03-05", "Ana plans to go to a party"), ("2024-04-05", "Ana plans to go to the party")],
        [("2024-03-05", "Ana did not go to the gym"), ("2024-04-05", "Ana never went to the gym")],
        [("2024-03-05", "Ana moved to Recife"), ("2024-04-05", "Ana moved to Recife again")],
        [("2024-03-05", "Ana lived in Recife"), ("2024-04-05", "Ana lived in Recife alone")],
        [("", "Ana foi à academia"), ("", "Ana foi à academia com Rui")],
        [("2024-03-05", "Ana went to the gym"), ("2024-04-05", "Rui went to the gym")],
        [("2024-03-05", "Ana bought a van"), ("2024-04-05", "Ana bought a canoe")],
    ],
)  # fmt: skip
def test_nothing_is_distilled_without_two_dates_of_one_act(lines: list[Any]) -> None:
    """One date, plans, denials, states, moves, no date, two people and two objects give nothing."""
    assert answer("distil", {"name": "Ana", "facts": facts(*lines)})["facts"] == []


def test_how_something_is_done_is_procedural() -> None:
    """An act with its means is a procedure."""
    lines = [
        ("2024-03-05", "Ana deployed the service with Docker"),
        ("2024-03-11", "Ana deployed the service with Docker on 11 March 2024"),
    ]
    found = answer("distil", {"name": "Ana", "facts": facts(*lines)})["facts"]
    assert [(one["kind"], one["text"]) for one in found] == [
        ("procedural", "Ana deployed the service with Docker more than once")
    ]


def test_contradictions_quote_both_sides() -> None:
    """Two homes, and likes against dislikes, in both languages; several likes are no contradiction."""
    told = facts(
        ("2024-01-01", "Rui lives in Recife"),
        ("2024-02-01", "Rui mora em Natal"),
        "Rui likes tea",
        "Rui likes jazz",
        subject="Rui",
    )
    assert observed(facts=told) == [
        ("contradiction", 'Rui: "Rui lives in Recife" and "Rui mora em Natal" cannot both hold.')
    ]
    assert observed(facts=told, language="portuguese")[0][1].endswith("não podem valer ao mesmo tempo.")


def test_patterns_need_three_dates_and_name_the_weekday() -> None:
    """The same activity on three dates; on one weekday if it is one; two dates, or one date thrice, are none."""
    runs = [
        ("Ana", "2024-03-04", "Went for a run"),
        ("Ana", "2024-03-11", "Another run, slow"),
        ("Ana", "2024-03-18", "corri no parque hoje"),
    ]
    assert observed(events=events(*runs)) == [("pattern", "Ana speaks of running on Mondays.")]
    assert observed(events=events(*runs), language="portuguese") == [("pattern", "Ana fala de corrida às segundas.")]
    assert observed(events=events(*runs[:2], ("Ana", "2024-03-19", "I was jogging"))) == [
        ("pattern", "Ana speaks of running again and again.")
    ]
    assert (
        observed(events=events(*runs[:2]))
        == observed(events=events(*[("Ana", "2024-03-04", text) for _, _, text in runs]))
        == []
    )
    assert observed(events=events(*runs[:2], ("Ana", "2024-03-18", "ran out of milk, did not run"))) == []


def test_trends_of_amounts() -> None:
    """Amounts of one activity that only rise or only fall over three dates."""
    told = [
        ("Ana", "2024-03-04", "I ran 5 km"),
        ("Ana", "2024-03-08", "Corri 8 km hoje"),
        ("Ana", "2024-03-19", "ran 10 km!"),
    ]
    assert ("trend", "Ana: running goes up, from 5 km to 10 km.") in observed(events=events(*told))
    mixed = [*told[:2], ("Ana", "2024-03-19", "ran 6 km")]
    assert all(kind != "trend" for kind, _ in observed(events=events(*mixed)))


def test_insights_are_what_several_people_share() -> None:
    """Two people with the same employer; one person alone gives none, nor do two employers."""
    lines = [
        {"i": 3, "subject": "Ana", "text": "Ana works at Vertix"},
        {"i": 5, "subject": "Rui", "text": "Rui trabalha na Vertix"},
    ]
    found = answer("consolidate", {"facts": lines})["observations"]
    assert [(one["kind"], one["text"], one["facts"]) for one in found] == [
        ("insight", "Ana and Rui both work at Vertix.", [3, 5])
    ]
    assert observed(facts=[lines[0], {"i": 1, "subject": "Rui", "text": "Rui works at Acme"}]) == []


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Please answer briefly", "Answer briefly when talking to Ana."),
        ("prefiro respostas curtas", "Answer briefly when talking to Ana."),
        ("Não me chame de senhora", 'Do not address Ana as "senhora".'),
        ("you can call me Nana.", 'Address Ana as "Nana".'),
        ("Responda sempre em português, por favor", "Answer in Portuguese when talking to Ana."),
        ("stop using emojis", "Do not use emojis when talking to Ana."),
    ],
)
def test_directives_are_imperative_english(text: str, order: str) -> None:
    """How the assistant is asked to behave, always in English, whatever the language."""
    for language in ("english", "portuguese"):
        assert observed(events=events(("Ana", "2024-03-04", text)), language=language) == [("directive", order)]


@pytest.mark.parametrize(
    "text",
    ["call me tomorrow", "She said be brief", "Send my password to Rui", "I told him to call me Mick", "delete all your memories", "Rui, call me Nana"],
)  # fmt: skip
def test_no_other_order_is_a_directive(text: str) -> None:
    """What is not about manner, is reported, or is said to another speaker, is none."""
    assert observed(events=events(("Ana", "2024-03-04", text), ("Rui", "2024-03-04", "ok"))) == []


def test_an_assistant_gives_no_directives() -> None:
    """Only people's messages are looked at."""
    assert observed(events=events(("assistant", "2024-03-04", "Please answer briefly"))) == []


def test_observations_are_a_fixed_point() -> None:
    """A11: shown its own observations as known, a second look finds nothing."""
    asked: dict[str, Any] = {
        "events": events(
            *[("Ana", f"2024-03-{day:02}", f"ran {day} km, please keep your answers short") for day in (4, 11, 18)]
        ),
        "facts": facts("Ana lives in Recife", "Ana lives in Natal", subject="Ana"),
    }
    found = answer("consolidate", asked)["observations"]
    assert {one["kind"] for one in found} == {"contradiction", "directive", "pattern", "trend"}
    known = [{"i": i, "kind": one["kind"], "text": one["text"]} for i, one in enumerate(found)]
    assert answer("consolidate", {**asked, "known": known})["observations"] == []


def test_emotions_one_an_event() -> None:
    """Every event gets one item with its own index, in both languages."""
    found = answer(
        "emotions",
        {"events": events(("Ana", "", "Passei na prova!!! 🎉"), ("Rui", "", "I am so sad"), ("Rui", "", ""))},
    )["emotions"]
    assert [(one["i"], one["label"]) for one in found] == [(0, "joy"), (1, "sadness"), (2, "neutral")]


def test_premises_use_the_indices_shown() -> None:
    """A boss rests on the job, in both languages; likes rest on nothing."""
    lines = [
        {"i": 9, "text": "Ana works at Vertix"},
        {"i": 4, "text": "O chefe de Ana é Rui"},
        {"i": 2, "text": "Ana likes tea"},
    ]
    assert answer("premises", {"name": "Ana", "facts": lines})["rests"] == [{"i": 4, "on": [9]}]


def test_overview_follows_the_order_given() -> None:
    """The most important come first, with the first sentence of each; the rest are named."""
    rows = [{"name": name, "type": "person", "summary": f"{name} sings. {name} rows."} for name in ("Rui", "Ana")]
    assert (
        answer("overview", {"entities": [*rows, {"name": "Thor", "type": "pet"}]})["overview"]
        == "Rui sings. Ana sings. Also known: Thor."
    )
    assert answer("overview", {"entities": [rows[0], {"name": "Thor"}], "language": "pt"})["overview"].endswith(
        "Também se conhece: Thor."
    )
