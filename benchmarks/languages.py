"""What it costs to ask in another language than the one in which a memory was told: recall and rank, by pair of languages.

    python benchmarks/languages.py [--embedder use] [--preset arandu] [--min-similarity 0.2] [--into docs/measured.md]

Fifteen statements of one person, each in English and in Portuguese with a question for it in both that shares hardly a word
with it, lie among fifteen others. *R@1*, *R@5*: share of questions whose statement is the first, or among the first five, of
thirty. *rank*: its mean rank, 31 where it was not a candidate. Everything is stored in one language, or (where *others* is
another) only the statement asked for is, and all others are in the language of the question, which is harder. No model is
asked; every fact is a candidate unless a least cosine is given; recency says nothing, since all was said at once; nobody is
named, so no name carries a question across. The delta is what Portuguese questions lose when the same statements are stored
in English (as profiles are by default).
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

from measured import measured

from arandu_lab.config import settings
from arandu_lab.embed.open import open_embedder
from arandu_lab.llm.mind import Minds
from arandu_lab.llm.offline import OfflineRules
from arandu_lab.pipeline import Lab
from arandu_lab.presets import PRESETS
from arandu_lab.read.found import Query
from arandu_lab.read.preset import reading
from arandu_lab.records import Fact
from arandu_lab.store.schema import Image
from arandu_lab.store.view import AgentView
from arandu_lab.trace import Span

Language = Literal["en", "pt"]
LANGUAGES: tuple[Language, ...] = ("en", "pt")
NOW = datetime(2026, 3, 30, 12, tzinfo=UTC)
BEST = 5


@dataclass(frozen=True, slots=True)
class Told:
    """A statement and a question for it, in both languages."""

    said: dict[Language, str]
    asked: dict[Language, str]


@dataclass(frozen=True, slots=True)
class Figure:
    """How one pair of languages did: the rank of each statement, from 1, for the question about it."""

    ranks: tuple[int, ...]

    def recall(self, best: int) -> float:
        """Share of ranks up to ``best``."""
        return sum(rank <= best for rank in self.ranks) / len(self.ranks)

    @property
    def mean_rank(self) -> float:
        """The mean rank."""
        return sum(self.ranks) / len(self.ranks)


Figures: TypeAlias = dict[tuple[Language, Language, bool], Figure]
"""``(asked, stored, alone)`` -> the figure."""


def _lines(text: str) -> list[dict[Language, str]]:
    """Lines ``English | Portuguese``, one record each."""
    rows = [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]
    return [{"en": en, "pt": pt} for en, pt in rows]


SAID = """
The user is allergic to shellfish | O usuário é alérgico a frutos do mar
The user plays the cello on weekends | O usuário toca violoncelo nos fins de semana
The user moved house in January | O usuário se mudou de casa em janeiro
The user works as a nurse at a hospital | O usuário trabalha como enfermeiro em um hospital
The user has two black cats | O usuário tem dois gatos pretos
The user is afraid of flying | O usuário tem medo de avião
The user drinks tea without sugar | O usuário bebe chá sem açúcar
The user runs ten kilometres every morning | O usuário corre dez quilômetros toda manhã
The user broke an arm in a bicycle accident | O usuário quebrou o braço em um acidente de bicicleta
The user is writing a novel about the sea | O usuário está escrevendo um romance sobre o mar
The user's sister is getting married in June | A irmã do usuário vai se casar em junho
The user is saving money to buy a boat | O usuário está juntando dinheiro para comprar um barco
The user studies Japanese at night | O usuário estuda japonês à noite
The user grows tomatoes and basil in the garden | O usuário planta tomate e manjericão no jardim
The user sleeps badly because of noise from the street | O usuário dorme mal por causa do barulho da rua
"""

ASKED = """
Which food makes me ill? | Que comida me faz mal?
What instrument am I learning? | Qual instrumento eu estudo?
When did I change my address? | Quando troquei de endereço?
What is my profession? | Qual é a minha profissão?
Which pets live with me? | Que animais vivem comigo?
Why do I avoid air travel? | Por que evito viagens aéreas?
How do I take my hot beverage? | Como tomo minha bebida quente?
How do I exercise? | Como faço exercício?
What injury did I suffer? | Que lesão eu sofri?
What book am I working on? | Em que livro estou trabalhando?
Whose wedding is coming up? | De quem é a festa de casamento que vem aí?
What am I setting funds aside for? | Para que guardo economias?
Which foreign language am I learning? | Que língua estrangeira estou aprendendo?
Which vegetables do I raise? | Que hortaliças eu cultivo?
What keeps me awake? | O que me deixa acordado?
"""

PAIRS = tuple(Told(said, asked) for said, asked in zip(_lines(SAID), _lines(ASKED), strict=True))
"""Fifteen statements with their questions. All invented."""

OTHERS: dict[Language, tuple[str, ...]] = {
    "en": (
        "The user likes old science fiction films",
        "The user lost an umbrella on the bus",
        "The user prefers paper maps",
        "The user repaired the kitchen tap",
        "The user's neighbour sells honey",
        "The user collects postage stamps",
        "The user voted in the school council election",
        "The user painted the bedroom blue",
        "The user needs new glasses",
        "The user lent a ladder to a friend",
        "The user watches football on Sundays",
        "The user's phone has a cracked screen",
        "The user visited a glass museum",
        "The user bakes bread with rye flour",
        "The user changed banks last year",
    ),
    "pt": (
        "O usuário gosta de filmes antigos de ficção científica",
        "O usuário perdeu um guarda-chuva no ônibus",
        "O usuário prefere mapas de papel",
        "O usuário consertou a torneira da cozinha",
        "O vizinho do usuário vende mel",
        "O usuário coleciona selos",
        "O usuário votou na eleição do conselho da escola",
        "O usuário pintou o quarto de azul",
        "O usuário precisa de óculos novos",
        "O usuário emprestou uma escada a um amigo",
        "O usuário assiste futebol aos domingos",
        "O celular do usuário está com a tela trincada",
        "O usuário visitou um museu do vidro",
        "O usuário faz pão com farinha de centeio",
        "O usuário trocou de banco no ano passado",
    ),
}
"""What lies beside them: the same in both languages."""

SIZE = len(PAIRS) + len(OTHERS["en"])
"""Statements in a memory."""

CHANCE = BEST / SIZE
"""R@5 of an order drawn by lot."""


def main() -> int:
    """Print recall and rank of each pair of languages, and what English memories cost Portuguese questions."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--embedder", default=None, help="the embedder (the default one if not given)")
    parser.add_argument("--preset", default="arandu", choices=sorted(PRESETS), help="whose settings of ranking")
    parser.add_argument("--min-similarity", type=float, default=0.0, help="least cosine of a hit (documented: 0.20)")
    given = parser.parse_args()
    embed = open_embedder(given.embedder)
    figures = asyncio.run(measure(embed, preset=given.preset, min_similarity=given.min_similarity))
    print(table(figures))
    return 0


async def measure(embed: Any, *, preset: str = "arandu", min_similarity: float = 0.0) -> Figures:
    """The four pairs of languages, whole and alone."""
    vectors = await embedded(embed)
    pipeline = reading(enable_reranker=False)
    changed = {"min_similarity": min_similarity}
    _, values = settings(PRESETS[preset]().config, (pipeline,), changed, strict=True)
    found: Figures = {}
    for asked in LANGUAGES:
        for stored in LANGUAGES:
            for alone in (False, True):
                others: Language = asked if alone else stored
                ranks = [
                    await rank(place, asked, stored, others, vectors, embed, values) for place in range(len(PAIRS))
                ]
                found[asked, stored, alone] = Figure(tuple(ranks))
    return found


async def embedded(embed: Any) -> dict[str, Any]:
    """Text -> vector, of everything that is stored."""
    texts = [pair.said[language] for language in LANGUAGES for pair in PAIRS]
    texts += [text for language in LANGUAGES for text in OTHERS[language]]
    return dict(zip(texts, await embed(texts), strict=True))


async def rank(
    place: int,
    asked: Language,
    stored: Language,
    others: Language,
    vectors: dict[str, Any],
    embed: Any,
    values: Mapping[str, Any],
) -> int:
    """The rank of statement number ``place``, told in ``stored`` amid ``others``, for its question in ``asked``."""
    texts = [pair.said[stored if one == place else others] for one, pair in enumerate(PAIRS)]
    view = memory([*texts, *OTHERS[others]], vectors)
    pipeline = reading(enable_reranker=False)
    lab = Lab(llm=Minds(OfflineRules()), embed=embed, memory=view, now=NOW, log=Span("languages"))
    found, _ = await pipeline(Query(agent_id="a", text=PAIRS[place].asked[asked]), lab, values)
    order = found.frame["fact_id"].to_list()
    mine = f"f{place:02d}"
    return order.index(mine) + 1 if mine in order else SIZE + 1


def memory(texts: list[str], vectors: dict[str, Any]) -> AgentView:
    """A memory that was told these texts, all at one time."""
    facts = [
        Fact(
            id=f"f{place:02d}",
            agent_id="a",
            entity_key="person:user",
            entity_name="User",
            text=text,
            confidence=0.95,
            importance=0.5,
            category="routine_activity",
            speaker="User",
            source_event_id="e",
            valid_from=NOW,
            recorded_at=NOW,
            vector=vectors[text],
        )
        for place, text in enumerate(texts)
    ]
    return AgentView.of("a", [Image(fact, seq=1, born=born) for born, fact in enumerate(facts)])


def table(figures: Figures) -> str:
    """The lines that are printed."""
    lines = ["asked  stored  others    R@1   R@5   rank"]
    for (asked, stored, alone), one in sorted(figures.items(), key=lambda item: (item[0][2], item[0])):
        if not alone or asked != stored:
            cells = f"{one.recall(1):6.2f}{one.recall(BEST):6.2f}{one.mean_rank:7.2f}"
            lines.append(f"{asked:<7}{stored:<8}{asked if alone else stored:<6}{cells}")
    lines.append(f"{'by lot':<21}{1 / SIZE:6.2f}{CHANCE:6.2f}{(SIZE + 1) / 2:7.2f}")
    for alone, said in ((False, "everything"), (True, "what is asked for")):
        lines.append(f"Portuguese questions, {said} stored in English: rank {delta(figures, alone):+.2f}")
    return "\n".join(lines)


def delta(figures: Figures, alone: bool = False) -> float:
    """Mean rank of Portuguese questions over English statements minus that over Portuguese ones; above 0 is worse."""
    return figures["pt", "en", alone].mean_rank - figures["pt", "pt", alone].mean_rank


if __name__ == "__main__":
    sys.exit(measured(main))
