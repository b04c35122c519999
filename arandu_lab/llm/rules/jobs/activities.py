"""Activities that people speak of, by name in both languages, and the amounts told of them."""

# ruff: noqa: E501  (tables of words read better on long lines)

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from arandu_lab.llm.rules.language import Language
from arandu_lab.pure.text import fold

_TABLE = """
running|corrida|run runs ran running jog jogs jogged jogging|corrida corridas corre corri correr correndo correu
swimming|natação|swim swims swam swimming swum|natacao nadei nadar nadando nadou hidroginastica
cycling|ciclismo|cycling cycle cycled bike biked biking ride|pedal pedalar pedalei pedalou pedalando ciclismo bike
walking|caminhada|walk walks walked walking stroll|caminhada caminhadas caminhar caminhei caminhou caminhando
hiking|trilha|hike hikes hiked hiking trek trekking|trilha trilhas
climbing|escalada|climb climbs climbed climbing bouldering|escalada escalar escalei escalou escalando
surfing|surfe|surf surfs surfed surfing|surf surfe surfar surfei surfou surfando
rowing|remo|row rowed rowing|remo remar remei remou remando
gym|academia|gym workout workouts lifting deadlifts squats|academia malhar malhei malhou malhando musculacao treino treinei
yoga|ioga|yoga|ioga yoga
pilates|pilates|pilates|pilates
meditation|meditação|meditate meditated meditating meditation|meditar meditei meditou meditacao
football|futebol|football soccer|futebol pelada
tennis|tênis|tennis|tenis
chess|xadrez|chess|xadrez
dancing|dança|dance dances danced dancing salsa tango|danca dancar dancei dancou dancando forro samba
singing|canto|sing sings sang singing choir|canto cantar cantei cantou coral
guitar|violão|guitar|violao guitarra
piano|piano|piano|piano
painting|pintura|paint paints painted painting watercolour watercolor|pintura pintar pintei pintou pintando aquarela
drawing|desenho|draw drew drawing sketch sketched sketching|desenho desenhar desenhei desenhou
pottery|cerâmica|pottery ceramics|ceramica
knitting|tricô|knit knits knitted knitting crochet|trico croche
writing|escrita|writing wrote|escrever escrevi escreveu escrevendo
reading|leitura|reading|leitura lendo
cooking|cozinha|cook cooks cooked cooking|cozinhar cozinhei cozinhou cozinhando
baking|forno|bake bakes baked baking sourdough|assar assei assou
gardening|jardinagem|garden gardening|jardim jardinagem horta
fishing|pesca|fish fishing fished|pesca pescar pesquei pescou pescaria
camping|acampamento|camp camped camping|acampar acampei acampamento
studying|estudo|study studied studying|estudar estudei estudou estudando
therapy|terapia|therapy therapist|terapia terapeuta
smoking|cigarro|smoke smoked smoking cigarette cigarettes|fumar fumei fumou fumando cigarro cigarros
headaches|dor de cabeça|headache headaches migraine migraines|enxaqueca enxaquecas
insomnia|insônia|insomnia|insonia
meetups|meetups|meetup meetups|meetup meetups
"""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit (``km``), as told."""

    value: float
    unit: str
    told: str


@lru_cache(maxsize=8192)
def activities(text: str) -> tuple[int, ...]:
    """The activities that a text speaks of, by their row in the table; what is denied ("didn't run") does not count.

    >>> [name(found, "en") for found in activities("Fui correr e depois academia")]
    ['running', 'gym']
    >>> activities("I did not run today"), activities("ran out of milk")
    ((), ())
    """
    folded = _NOT_MEANT.sub(" ", fold(text))
    found: dict[int, None] = {}
    before: list[str] = []
    for word in re.findall(r"[^\W_]+(?:['’]\w+)?", folded):
        row = _rows().get(word)
        if row is not None and not (set(before[-3:]) & _DENIAL or any(w.endswith(("n't", "n’t")) for w in before[-3:])):
            found.setdefault(row)
        before.append(word)
    return tuple(found)


def name(row: int, language: Language) -> str:
    """The name of an activity."""
    return _lines()[row][language == "pt"]


@lru_cache(maxsize=8192)
def amounts(text: str) -> tuple[Amount, ...]:
    """The amounts with a unit in a text.

    >>> [(found.value, found.unit, found.told) for found in amounts("Ran 7.5 km, then 20 minutes of stretching")]
    [(7.5, 'km', '7.5 km'), (20.0, 'min', '20 minutes')]
    """
    out = []
    for found in _AMOUNT.finditer(text):
        unit = next(key for key, forms in _UNITS.items() if fold(found["unit"]) in forms)
        out.append(Amount(float(found["value"].replace(",", ".")), unit, " ".join(found[0].split())))
    return tuple(out)


@cache
def _lines() -> tuple[tuple[str, str], ...]:
    return tuple((line.split("|")[0], line.split("|")[1]) for line in _TABLE.strip().splitlines())


@cache
def _rows() -> dict[str, int]:
    """Form -> row, of both languages: people mix them."""
    table: dict[str, int] = {}
    for row, line in enumerate(_TABLE.strip().splitlines()):
        for form in " ".join(line.split("|")[2:]).split():
            table.setdefault(form, row)
    return table


_DENIAL = frozenset("not no never nao nunca jamais without sem stopped quit parou parei deixei deixou".split())
_NOT_MEANT = re.compile(
    r"\b(?:ran|run|runs|running) (?:out|late|into|away|over|the|by)\b|\bin the long run\b|\bno nada\b|\bde nada\b|\bnada (?:de|a|que|disso|mais|alem)\b"
    r"|\bper cycle\b|\bfish (?:and|tacos|soup)\b|\bride home\b|\bcorre (?:o|atras)\b|\bno canto\b|\bwalks? (?:in|out|away)\b|\bnao \w+ nada\b"
)
_UNITS = {
    "km": frozenset("km k kms quilometros kilometers kilometres".split()),
    "mi": frozenset("mile miles milha milhas".split()),
    "min": frozenset("min mins minute minutes minuto minutos".split()),
    "h": frozenset("h hour hours hora horas".split()),
    "kg": frozenset("kg kgs kilo kilos quilo quilos".split()),
    "pages": frozenset("page pages pagina paginas".split()),
    "words": frozenset("words palavras".split()),
    "laps": frozenset("lap laps volta voltas piscinas".split()),
    "cigarettes": frozenset("cigarette cigarettes cigarro cigarros".split()),
    "reps": frozenset("rep reps repeticoes".split()),
}
_AMOUNT = re.compile(
    r"(?<![\w.,:/-])(?P<value>\d{1,5}(?:[.,]\d{1,2})?) ?(?P<unit>kms?|k|quil[oô]metros|kilomet(?:er|re)s|miles?|milhas?|min(?:ute|uto)?s?|h|hours?|horas?|kgs?|kilos?|quilos?|pages?|p[aá]ginas?|words|palavras|laps?|voltas?|piscinas|cigarettes?|cigarros?|reps?|repeti[cç][oõ]es)\b",
    re.IGNORECASE,
)
