"""Changes told as stories, past states, and who moves with whom, in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from arandu_lab.llm.rules import answer

STEPS = [
    ("Mia got the job at a gallery in Turin", "Mia has applied for a job at a gallery in Turin", "UPDATE"),
    ("Mia was turned down by the Turin gallery", "Mia's interview at the Turin gallery is on 3 June 2024", "UPDATE"),
    ("Mia has given birth", "Mia is pregnant", "UPDATE"),
    ("Mia has found work and works at Norwave", "Mia was laid off by Brightloom on 3 June 2024", "UPDATE"),
    ("Mia declined the directorship", "Mia was offered the directorship", "UPDATE"),
    ("Mia got engaged to Owen Hart", "Mia's boyfriend is Owen Hart", "UPDATE"),
    ("Mia found her passport at the bakery", "Mia has lost her passport", "UPDATE"),
    ("Mia's ankle has healed", "Mia has sprained her ankle", "UPDATE"),
    ("Mia bought a canoe", "Mia is saving up for a canoe", "UPDATE"),
    ("Mia finished the quilt", "Mia is making a quilt", "UPDATE"),
    ("Mia's ceiling is fully painted", "Mia's ceiling is half painted", "UPDATE"),
    ("Mia is in her third year of geology", "Mia is in her second year of geology", "UPDATE"),
    ("Mia now rows at the lake on Saturdays", "Mia rows at the lake every Wednesday", "UPDATE"),
    ("Mia moved into the loft on 4 May 2024", "Mia is moving into Rui's old flat on 4 May 2024", "UPDATE"),
    ("Mia will defend her thesis on 30 August 2024", "Mia hopes to defend her thesis in August 2024", "UPDATE"),
    ("Mia has not signed the contract, because it had the wrong name", "Mia has signed the contract", "DELETE"),
    ("Nina passou na seleção do Museu Marulho", "Nina se inscreveu na seleção do Museu Marulho", "UPDATE"),
    ("Nina deu à luz em maio de 2024", "Nina está grávida", "UPDATE"),
    ("Nina conseguiu um emprego na Marulho", "Nina foi demitida da Boreal em 3 de junho de 2024", "UPDATE"),
    ("Nina recusou a diretoria", "Nina foi convidada para diretora", "UPDATE"),
    ("Nina ficou noiva de Caio Brito", "O namorado de Nina é Caio Brito", "UPDATE"),
    ("Nina achou o passaporte na padaria", "Nina perdeu o passaporte", "UPDATE"),
    ("O gato de Nina reapareceu", "O gato de Nina está desaparecido", "UPDATE"),
    ("Nina comprou uma canoa", "Nina quer comprar uma canoa", "UPDATE"),
    ("Nina terminou a colcha", "Nina está fazendo uma colcha", "UPDATE"),
    ("O teto de Nina está totalmente pintado", "O teto de Nina está meio pintado", "UPDATE"),
    ("Nina está no terceiro ano de geologia", "Nina está no segundo ano de geologia", "UPDATE"),
    ("Nina passa a remar aos sábados às 9h", "Nina rema toda quarta-feira às 7h", "UPDATE"),
    ("Nina não assinou o contrato, porque o nome estava errado", "Nina assinou o contrato", "DELETE"),
]
AGAIN = [
    ("Mia's hip operation is on 4 March 2024", "Mia is having hip surgery on 4 March 2024"),
    ("Mia has not smoked for six weeks", "Mia quit smoking on 1 January 2024"),
    ("Mia is still moving on 1 May 2024", "Mia is moving into the loft on 1 May 2024"),
    ("Mia has kept Biscuit after the divorce", "Mia adopted a dog, Biscuit, on 4 March 2024"),
    ("A operação de quadril de Nina é em 4 de março de 2024", "Nina fará a cirurgia de quadril em 4 de março de 2024"),
    ("Nina continua comendo sem sal", "Nina passou a comer sem sal"),
    ("Nina ficou com a Bolota depois da separação", "Nina adotou a cadela Bolota em 4 de março de 2024"),
]
NEW = [
    ("Mia found her keys", "Mia has lost her ring"),
    ("Mia got the job at Norwave", "Mia has applied to a school in Turin"),
    ("Mia bought a kettle", "Mia is saving up for a canoe"),
    ("Mia has a daughter, Lia", "Mia is pregnant"),
    ("Mia swims on Mondays", "Mia swims on Fridays"),
    ("Mia is in her third year of geology", "Mia is in her second year at Norwave"),
    ("Mia and Owen Hart are getting married on 5 October 2024", "Mia got engaged to Owen Hart"),
    ("Mia's sister gave birth", "Mia is pregnant"),
    ("Nina achou as chaves", "Nina perdeu o anel"),
    ("Nina comprou uma chaleira", "Nina quer comprar uma canoa"),
    ("Nina rema às segundas", "Nina rema às sextas"),
    ("A irmã de Nina deu à luz", "Nina está grávida"),
]
PAST = [
    ("Mia used to live in Leeds", "Mia lives in Ghent"),
    ("Mia was a nurse from 2016 to 2019", "Mia is a baker"),
    ("Mia worked at Norwave for five years", "Mia works at Brightloom"),
    ("Mia was married to Owen Hart until 2015", "Mia is married to Sam Poe"),
    ("Nina morava em Leiria antes", "Nina mora em Évora"),
    ("Nina foi enfermeira de 2016 a 2019", "Nina é padeira"),
    ("Nina trabalhava na Marulho até 2019", "Nina trabalha na Boreal"),
    ("Nina namorava Caio Brito em 2015", "Nina namora Davi Rocha"),
]


def verdict(new: str, old: str) -> tuple[str, int | None]:
    """Action and index for one fact of Mia's or Nina's beside another one."""
    item = {
        "i": 0,
        "subject": "Nina" if "Nina" in new else "Mia",
        "fact": new,
        "since": "",
        "known": [{"i": 0, "text": old, "since": ""}],
    }
    found = answer("reconcile", {"items": [item]})["verdicts"][0]
    return found["action"], found["known"]


def told(message: str, speaker: str = "Ana") -> dict[str, Any]:
    """The extraction of one message."""
    return answer(
        "extract",
        {
            "message": message,
            "speaker": speaker,
            "sent_at": "2024-05-06T12:00:00+00:00",
            "sent_on": "",
            "recent_messages": [],
            "known": [],
        },
    )


@pytest.mark.parametrize(("new", "old", "action"), STEPS)
def test_a_later_step_replaces_an_earlier_one(new: str, old: str, action: str) -> None:
    """What ran its course, changed its degree or its day, or never was, is not left standing as it was."""
    assert verdict(new, old) == (action, 0)


@pytest.mark.parametrize(("new", "old"), AGAIN)
def test_what_goes_on_is_nothing_new(new: str, old: str) -> None:
    """The same told again in other words confirms."""
    assert verdict(new, old) == ("NOOP", 0)


@pytest.mark.parametrize(("new", "old"), NEW)
def test_another_matter_is_only_new(new: str, old: str) -> None:
    """Another thing, another person, another day of the week, a plan: nothing is replaced."""
    assert verdict(new, old) == ("ADD", None)


@pytest.mark.parametrize(("past", "now"), PAST)
def test_what_was_never_replaces_what_is(past: str, now: str) -> None:
    """A past state and a present one stand side by side, whichever is told first."""
    assert verdict(past, now)[0] == "ADD"
    assert verdict(now, past)[0] == "ADD"


@pytest.mark.parametrize(
    ("message", "said", "tie"),
    [
        ("From 2016 to 2019 I was a nurse at Mercy Hospital.", "was a nurse", "works_at"),
        ("I used to live in Lisbon.", "used to live in Lisbon", "lives_in"),
        ("When I was a kid we lived in Chennai.", "lived in Chennai", "lives_in"),
        ("Em 2018 eu era bancário.", "era bancário", "works_at"),
        ("Antes eu morava em Olinda.", "morava em Olinda", "lives_in"),
        ("Quando eu era criança a gente morava em Recife.", "morava em Recife", "lives_in"),
    ],
)
def test_a_past_state_is_told_in_the_past(message: str, said: str, tie: str) -> None:
    """It is a fact, in the past tense, and no tie of today."""
    found = told(message)
    assert any(said in fact["text"] for fact in found["facts"])
    assert not any(fact["text"].startswith(("Ana works", "Ana lives", "Ana mora ")) for fact in found["facts"])
    assert not any(relation["type"] == tie for relation in found["relations"])


@pytest.mark.parametrize(
    ("message", "homes"),
    [
        ("Me and Rui moved to Porto in March.", {"Ana": "Porto", "Rui": "Porto"}),
        ("My wife Julia and I moved to Porto.", {"Ana": "Porto", "Julia": "Porto"}),
        ("I moved to Porto with my husband Rui.", {"Ana": "Porto", "Rui": "Porto"}),
        ("My wife Julia got a job there, so we moved to Porto.", {"Ana": "Porto", "Julia": "Porto"}),
        ("Rui and I live in Porto.", {"Ana": "Porto", "Rui": "Porto"}),
        ("We moved to Porto.", {"Ana": "Porto"}),
        ("Eu e a Carla mudamos pra Natal.", {"Ana": "Natal", "Carla": "Natal"}),
        ("Me mudei com a Carla para Natal.", {"Ana": "Natal", "Carla": "Natal"}),
        ("Minha esposa Julia passou no concurso, aí a gente se mudou pra Natal.", {"Ana": "Natal", "Julia": "Natal"}),
        ("A gente se mudou pra Natal.", {"Ana": "Natal"}),
    ],
)
def test_those_named_move_along(message: str, homes: dict[str, str]) -> None:
    """Each of those named has a home of their own in the facts; a bare *we* moves nobody but the speaker."""
    found = told(message)
    where = {fact["subject"]: fact["text"] for fact in found["facts"] if _lives(fact["text"])}
    assert where.keys() == homes.keys()
    assert all(homes[name] in where[name] for name in homes)


def _lives(text: str) -> bool:
    return " lives in " in text or " mora em " in text


@pytest.mark.parametrize(
    ("message", "said", "level"),
    [
        ("Unemployed since Friday.", "Ana has been unemployed since", None),
        ("Desempregada desde sexta, que fase.", "Ana está desempregada desde", None),
        ("Helen has set my defence for 23 August.", "Ana's defence is set for 23 August 2024", None),
        ("Marcaram minha defesa: 30 de agosto", "A defesa de Ana está marcada para 30 de agosto de 2024", None),
        ("Theo is allergic to peanuts, isn't he?", "Theo is allergic to peanuts", "weak"),
        ("Theo é alérgico a amendoim, né?", "Theo é alérgico a amendoim", "weak"),
    ],
)
def test_what_is_told_without_saying_so(message: str, said: str, level: str | None) -> None:
    """States without a verb, dates that others set, and statements told to be confirmed, which are weak."""
    facts = [fact for fact in told(message)["facts"] if fact["text"].startswith(said)]
    assert facts
    assert level is None or facts[0]["confidence"] == level
