"""Verdicts by attribute, value and polarity, in sentences of many makes: what says the same, what replaces, what ends."""

from __future__ import annotations

import pytest

from arandu_lab.llm.rules import answer

SAME = [
    ("Mia resides in Leeds", "Mia lives in Leeds"),
    ("Mia's house is in Leeds", "Mia lives in Leeds"),
    ("Mia is still living in Leeds", "Mia moved to Leeds"),
    ("Mia is employed by Norwave", "Mia works for Norwave"),
    ("Mia makes her living as a welder", "Mia is a welder"),
    ("Mia is dating Owen Hart", "Mia's boyfriend is Owen Hart"),
    ("Mia and Owen Hart are friends", "Mia is friends with Owen Hart"),
    ("Mia is fluent in Dutch", "Mia speaks Dutch"),
    ("Mia is really fond of gnocchi", "Mia loves gnocchi"),
    ("Mia can't stand fireworks", "Mia hates fireworks"),
    ("Mia does not like fireworks", "Mia hates fireworks"),
    ("Mia hails from Cork", "Mia is from Cork"),
    ("Mia's boss is Dana Cole", "Mia reports to Dana Cole"),
    ("Mia is majoring in geology", "Mia studies geology"),
    ("Mia owns a kayak", "Mia has a kayak"),
    ("Mia belongs to the Red Oars", "Mia is a member of the Red Oars"),
    ("Mia's dog is called Biscuit", "Mia has a dog named Biscuit"),
    ("Mia never eats pork", "Mia doesn't eat pork"),
    ("Nina reside em Leiria", "Nina mora em Leiria"),
    ("A casa de Nina fica em Leiria", "Nina vive em Leiria"),
    ("Nina é funcionária da Marulho", "Nina trabalha na Marulho"),
    ("Nina atua como soldadora", "Nina é soldadora"),
    ("O namorado de Nina é Caio Brito", "Nina namora Caio Brito"),
    ("Nina está namorando com Caio Brito", "Nina namora Caio Brito"),
    ("Nina é muito amiga de Caio Brito", "Nina tem amizade com Caio Brito"),
    ("Nina sabe falar holandês", "Nina é fluente em holandês"),
    ("Nina é apaixonada por nhoque", "Nina adora nhoque"),
    ("Nina odeia fogos", "Nina não gosta de fogos"),
    ("Nina é natural de Tavira", "Nina nasceu em Tavira"),
    ("Nina responde a Davi Rocha", "O chefe de Nina é Davi Rocha"),
    ("Nina cursa geologia", "Nina faz faculdade de geologia"),
    ("Nina possui um caiaque", "Nina tem um caiaque"),
    ("Nina participa do Remo Livre", "Nina é integrante do Remo Livre"),
    ("O cachorro de Nina se chama Bolota", "Nina tem um cachorro chamado Bolota"),
    ("Nina trabalha como enfermeira", "Nina works as a nurse"),
]
REPLACES = [
    ("Mia settled in Ghent", "Mia lives in Leeds"),
    ("Mia has lived in Ghent since May 2024", "Mia lives in Leeds"),
    ("Mia got a job at Norwave", "Mia works at Brightloom"),
    ("Mia became a welder", "Mia is a baker"),
    ("Mia is going out with Sam Poe", "Mia's boyfriend is Owen Hart"),
    ("Mia now answers to Lee Ward", "Mia reports to Dana Cole"),
    ("Mia is studying law", "Mia studies geology"),
    ("Mia hates gnocchi", "Mia loves gnocchi"),
    ("Mia drinks coffee again", "Mia does not drink coffee"),
    ("Mia took a trip to Oslo in June 2024", "Mia plans a trip to Oslo in June 2024"),
    ("Mia had her eye exam on 3 June 2024", "Mia has an eye exam on 3 June 2024"),
    ("Mia will start her new post on 1 March 2031", "Mia starts her new post on 1 February 2031"),
    ("Nina vai defender a tese em 4 de outubro de 2031", "Nina vai defender a tese em 30 de agosto de 2031"),
    ("Nina se mudou de Leiria para Évora", "Nina mora em Leiria"),
    ("Nina foi contratada pela Ondular", "Nina trabalha na Marulho"),
    ("Nina virou padeira", "Nina é soldadora"),
    ("Nina começou a namorar Téo Lins", "Nina namora Caio Brito"),
    ("Nina tem Lia Prado como chefe", "Nina responde a Davi Rocha"),
    ("Nina cursa direito", "Nina estuda geologia"),
    ("Nina detesta nhoque", "Nina adora nhoque"),
    ("Nina fez a viagem a Oslo em junho de 2024", "Nina planeja uma viagem a Oslo para junho de 2024"),
]
ENDS = [
    ("Mia no longer lives in Leeds", "Mia lives in Leeds"),
    ("Mia doesn't work at Norwave any more", "Mia has a job at Norwave"),
    ("Mia has quit Norwave", "Mia works at Norwave"),
    ("Mia stopped smoking", "Mia smokes"),
    ("Mia gave up the violin", "Mia plays the violin"),
    ("Mia's trip to Oslo is off", "Mia plans a trip to Oslo in June 2024"),
    ("Mia is no longer fond of gnocchi", "Mia likes gnocchi"),
    ("Mia isn't afraid of dogs any longer", "Mia is afraid of dogs"),
    ("Mia is not Ruth Ames's sister", "Mia's sister is Ruth Ames"),
    ("Mia no longer hates fireworks", "Mia can't stand fireworks"),
    ("It is not true that Mia eats pork", "Mia eats pork"),
    ("Mia is no longer a welder", "Mia works as a welder"),
    ("Nina não mora mais em Leiria", "Nina reside em Leiria"),
    ("Nina já não trabalha na Marulho", "Nina é funcionária da Marulho"),
    ("Nina deixou de fumar", "Nina fuma"),
    ("Nina largou o violino", "Nina toca violino"),
    ("Nina desistiu da viagem a Oslo", "Nina planeja uma viagem a Oslo"),
    ("A viagem a Oslo de Nina foi cancelada", "Nina planeja uma viagem a Oslo"),
    ("Nina não adora mais nhoque", "Nina gosta de nhoque"),
    ("Nina não odeia mais fogos", "Nina não gosta de fogos"),
    ("Nina não é irmã de Rute Alves", "A irmã de Nina é Rute Alves"),
    ("Nina já não é soldadora", "Nina trabalha como soldadora"),
    ("Não é verdade que Nina come porco", "Nina come porco"),
]
APART = [
    ("Mia likes rye bread", "Mia likes gnocchi"),
    ("Mia has a sister called Ruth", "Mia has a brother called Ivo"),
    ("Mia visited Ghent", "Mia lives in Leeds"),
    ("Mia's boss lives in Ghent", "Mia lives in Leeds"),
    ("Mia used to work at Brightloom", "Mia works at Norwave"),
    ("Mia worked at Brightloom from 2015 to 2019", "Mia works at Norwave"),
    ("Mia may move to Ghent", "Mia lives in Leeds"),
    ("Mia also works at Norwave", "Mia works at Brightloom"),
    ("Mia studies Dutch in the evenings", "Mia studies geology"),
    ("Mia is a keen runner", "Mia is a nurse"),
    ("Mia no longer likes rye bread", "Mia likes gnocchi"),
    ("Mia was born in Leeds", "Mia lives in Ghent"),
    ("Mia wants to be a vet", "Mia is a baker"),
    ("Mia lives with her brother", "Mia lives in Leeds"),
    ("Mia works from home", "Mia works at Norwave"),
    ("Mia works on weekends", "Mia works at Norwave"),
    ("Mia works with children", "Mia works at Norwave"),
    ("Mia is a member of the Red Oars", "Mia is a nurse"),
    ("Mia speaks Dutch", "Mia speaks Danish"),
    ("Mia gave up chocolate for Lent", "Mia loves chocolate"),
    ("Mia plans to move to Ghent in 2031", "Mia lives in Leeds"),
    ("Mia's brother works at Brightloom", "Mia works at Norwave"),
    ("Mia will run a marathon on 7 September 2031", "Mia will run a marathon on 3 May 2031"),
    ("Mia went to Oslo in 2022", "Mia went to Oslo in 2024"),
    ("Nina trabalha como soldadora", "Nina works as a welder"),
    ("Nina gosta de pão", "Nina gosta de nhoque"),
    ("Nina visitou Évora", "Nina mora em Leiria"),
    ("A chefe de Nina mora em Évora", "Nina mora em Leiria"),
    ("Nina trabalhou na Ondular de 2015 a 2019", "Nina trabalha na Marulho"),
    ("Nina talvez se mude para Évora", "Nina mora em Leiria"),
    ("Nina também trabalha na Ondular", "Nina trabalha na Marulho"),
    ("Nina estuda holandês à noite", "Nina estuda geologia"),
    ("Nina é corredora", "Nina é enfermeira"),
    ("Nina não gosta mais de pão", "Nina gosta de nhoque"),
    ("Nina mora com o irmão", "Nina mora em Leiria"),
    ("Nina trabalha de casa", "Nina trabalha na Marulho"),
    ("Nina quer ser veterinária", "Nina é padeira"),
    ("Nina nasceu em Leiria", "Nina mora em Évora"),
    ("Nina fala holandês", "Nina fala dinamarquês"),
    ("O irmão de Nina trabalha na Ondular", "Nina trabalha na Marulho"),
]


def verdict(new: str, old: str, message: str = "") -> str:
    shown = [{"i": 0, "text": old, "since": "2024-01-10"}]
    item = {"i": 0, "subject": new.split()[0] if new[:3] in ("Mia", "Nin") else _who(new), "fact": new, "known": shown}
    inputs = {"items": [{**item, "since": "2024-08-01"}], "message": message}
    found: str = answer("reconcile", inputs)["verdicts"][0]["action"]
    return found


def _who(text: str) -> str:
    return "Mia" if "Mia" in text else "Nina"


@pytest.mark.parametrize(("new", "old"), SAME)
def test_the_same_in_other_words(new: str, old: str) -> None:
    """A value said again with another verb, noun or language of the sentence adds nothing."""
    assert verdict(new, old) == "NOOP"


@pytest.mark.parametrize(("new", "old"), REPLACES)
def test_another_value_replaces(new: str, old: str) -> None:
    """Another value of what one has once, the opposite, or what a plan came to."""
    assert verdict(new, old) == "UPDATE"


@pytest.mark.parametrize(("new", "old"), ENDS)
def test_what_is_over_is_ended(new: str, old: str) -> None:
    """No longer, gave up, is off, is not true: the known fact is taken back and nothing stands in its place."""
    assert verdict(new, old) == "DELETE"


@pytest.mark.parametrize(("new", "old"), APART)
def test_a13_a22_the_rest_is_only_new(new: str, old: str) -> None:
    """Another liking, another person, a past, a wish, a visit, a second job beside the first: nothing is invalidated."""
    assert verdict(new, old) == "ADD"


@pytest.mark.parametrize(
    ("new", "old", "message", "action"),
    [
        (
            "Mia is allergic to shrimp",
            "Mia is allergic to peanuts",
            "Oops, I wrote peanuts but I meant shrimp",
            "UPDATE",
        ),
        (
            "Mia is allergic to shrimp",
            "Mia is allergic to peanuts",
            "Not peanuts, shrimp. I'm allergic to shrimp",
            "UPDATE",
        ),
        ("Mia is allergic to shrimp", "Mia is allergic to peanuts", "Turns out I'm allergic to shrimp too", "ADD"),
        ("Mia likes jazz", "Mia likes samba", "Not only samba, I like jazz", "ADD"),
        ("Nina tem um barco", "Nina tem uma moto", "Eu disse moto, mas queria dizer barco: tenho um barco", "UPDATE"),
        ("Nina fala coreano", "Nina fala japonês", "Escrevi japonês por engano, falo coreano", "UPDATE"),
        ("Nina fala coreano", "Nina fala japonês", "Falo coreano!", "ADD"),
    ],
)
def test_a_correction_is_read_in_the_message(new: str, old: str, message: str, action: str) -> None:
    """Of what one may have several of, another value replaces only where the message takes the old one back."""
    assert verdict(new, old, message) == action


def test_the_newest_of_several_is_replaced() -> None:
    """Where two open facts state what one has once, the one that holds since later is the current one."""
    known = [
        {"i": 0, "text": "Mia lives in Leeds", "since": "2023-01-10"},
        {"i": 1, "text": "Mia lives in Ghent", "since": "2024-01-10"},
    ]
    item = {"i": 0, "subject": "Mia", "fact": "Mia lives in Oslo", "since": "2024-08-01", "known": known}
    assert answer("reconcile", {"items": [item]})["verdicts"] == [{"i": 0, "action": "UPDATE", "known": 1}]
