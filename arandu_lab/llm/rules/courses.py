"""The next step of something that runs its course: applied and got the job, pregnant and gave birth, lost and found.

A table of courses, each a row of steps in both languages. A statement of a later step replaces that of an earlier one
where both speak of the same matter; of a few courses (who is expecting, who is out of work) one has one at a time.
"""

# ruff: noqa: E501  (tables of patterns read better on long lines)

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from arandu_lab.llm.rules.matter import Matter, matter, shared
from arandu_lab.pure.text import fold


@dataclass(frozen=True, slots=True)
class _Course:
    """Steps in order, as patterns of folded text. ``alone``: one has one such course at a time."""

    name: str
    steps: tuple[re.Pattern[str], ...]
    alone: bool = False


_OWN = r"(?:(?:a|an|the|her|his|their|um|uma|o|a|seu|sua) )?"


def _course(name: str, *steps: str, alone: bool = False) -> _Course:
    return _Course(name, tuple(re.compile(rf"\b(?:{step})") for step in steps), alone)


_COURSES = (
    _course(
        "birth",
        r"pregnant|expecting (?:a|an|another|twins|her|his|their|to give birth)\b|(?:baby|child|twins) (?:is|are) due\b|baby is expected|due (?:date|on|in)\b|having (?:a|her|their|another) (?:baby|girl|boy|child)|gravida|gestante|(?:esta|estao) esperando (?:um|uma|gemeos|outr|mais|o (?:primeiro|segundo|terceiro))|(?:deve|vai|devem|vao) ter (?:o|um|uma|outr[oa]) (?:bebe|nenem|filh|menin)|bebe (?:\w+ )*previst|data prevista do parto|prenhe",
        r"(?:gave|given|giving) birth|had (?:a|an|her|his|their|the) (?:\w+ )?(?:baby|girl|boy|son|daughter|twins)|became (?:a )?(?:mother|father|mum|mom|dad)|miscarried|lost the baby|deu a luz|teve (?:o|um|uma|su?a|seu) (?:\w+ )?(?:filh|bebe|nenem|menin|parto)|tiveram (?:o|um|uma) (?:filh|bebe|menin)|pariu|perdeu o bebe|ganhou (?:o )?(?:bebe|nenem)",
        alone=True,
    ),
    _course(
        "application",
        r"(?:has |had |have )?appl(?:ied|ying|ies|y) (?:for|to|at)|application|interview|candidat|shortlisted|in the running|on the waiting list|auditioned|se inscreveu|inscreveu-se|concorre|entrevista|processo seletivo|lista de espera|selecao|mandou curriculo",
        r"got (?:the|that|a|an|into|in|through)\b(?! (?:interview|call))|was (?:hired|accepted|admitted|offered|rejected|turned down|refused|chosen|selected)|(?:has|have) been (?:hired|accepted|admitted|offered|rejected|turned down|chosen|selected)|(?:did not|didn't) get|landed|won the (?:place|job|grant|post)|foi (?:\w+ )?(?:aprovad|aceit|contratad|selecionad|chamad|admitid|recusad|reprovad|rejeitad|escolhid)|passou (?:n[ao]s?|em|para|pra)|nao passou|conseguiu (?:a vaga|o emprego|a bolsa|o trabalho|o lugar|entrar)|ganhou a (?:vaga|bolsa)|entrou (?:n[ao]|para|pra)",
    ),
    _course(
        "offer",
        r"(?:might|may) (?:become|be|take|get|join)|is rumou?red|talvez (?:vire|seja|assuma|va|entre|se torne)|(?:seria|viraria|assumiria)\b",
        r"(?:was|were|has been|have been|got|only) (?:\w+ )?(?:offered|invited|nominated|approached|sounded|asked (?:to|if))|foi (?:\w+ )?(?:sondad|convidad|indicad|chamad)|recebeu (?:um convite|uma proposta|a proposta)|tem (?:uma proposta|um convite)",
        r"(?:has |have )?(?:declined|refused|turned (?:it |that |the \w+ )?down|accepted|rejected|agreed to|said (?:yes|no) to)|recusou|aceitou|declinou|topou|disse (?:sim|nao|que nao|que sim)",
    ),
    _course(
        "betrothal",
        r"(?:girl|boy)friend|is dating|is seeing|partner|namora|companheir|esta (?:junto|saindo) com",
        r"(?:got|is|are|became) engaged|fiancee?\b|proposed to|ficou noiv|noiv[oa]|ficaram noivos|pediu .{2,40} em casamento",
        r"(?:got|is|are|was|were) married|(?:has |have )?married|wife|husband|(?:se )?cas(?:ou|aram)|casad[oa]|marido|esposa",
    ),
    _course(
        "work",
        r"(?:was|were|got|has been) (?:laid off|fired|let go|made redundant)|(?:was|were|got) (?:sacked|dismissed)|lost (?:his|her|their) job|(?:is|are) (?:unemployed|out of work|between jobs|looking for (?:a |another |new )?(?:job|work))|foi (?:demitid|mandad[oa] embora|dispensad)|desempregad|(?:esta )?procura(?:ndo)? (?:um |outro )?(?:emprego|trabalho)|perdeu o emprego|sem emprego|sem trabalho",
        r"works (?:at|for|in)|(?:has |have )?(?:started|begun|began|starts) (?:working |a new job |work )?(?:at|for|with) |(?:got|found|landed|has|took) (?:a |an )?(?:\w+ )?(?:job|contract|position|post) (?:at|with|as|in)|was hired|is employed|trabalha (?:n[ao]|em|para|pra|como|de|com)|comecou (?:a trabalhar|n[ao]|em)|(?:conseguiu|arrumou|arranjou|encontrou|tem|pegou) (?:um |uma |outro )?(?:novo )?(?:emprego|trabalho|contrato|vaga)|foi contratad",
        alone=True,
    ),
    _course(
        "single",
        r"(?:is|are) single|esta? solteir|e solteir|esta sozinh",
        r"(?:has|got) a (?:new )?(?:girl|boy)friend|is (?:dating|seeing)|(?:girl|boy)friend is|(?:comecou a namorar|namora|esta namorando|tem (?:um |uma )?namorad|arrumou)",
        alone=True,
    ),
    _course(
        "astray",
        r"(?:has |have )?(?:disappeared|vanished|gone missing|went missing|ran away|run away)|(?:is|are|has been) missing|sumi(?:u|d)|desapare(?:ceu|cid)|fugiu",
        r"(?:was |were |been |is )found|turned up|came (?:back|home)|come (?:back|home)|is (?:back|home)|returned|reappeared|apareceu|reapareceu|voltou|foi (?:achad|encontrad)",
        alone=True,
    ),
    _course(
        "loss",
        r"(?:has |have )?lost|(?:is|are) (?:missing|lost|gone)|sumi(?:u|d)|perdeu|perdid|roubad|stolen",
        r"(?:has |have |was |were |been )*found|turned up|came (?:back|home)|come (?:back|home)|is (?:back|home)|returned|recovered|apareceu|reapareceu|voltou|encontr(?:ou|ad|aram)|ach(?:ou|ad|aram)|recuper(?:ou|ad)",
    ),
    _course(
        "healing",
        r"(?:has |have )?(?:broke|broken|fractured|sprained|torn|tore|twisted|injured|pulled|hurt)\b|in a (?:cast|sling|boot)|on crutches|has (?:the |a )?(?:flu|covid|cold|pneumonia|bronchitis|fever)|quebrou|fraturou|torceu|rompeu|machucou|engessad|de muletas|imobilizad|esta com (?:gripe|covid|dengue|febre|pneumonia|virose)|pegou (?:gripe|covid|dengue)",
        r"(?:has |have )?(?:recovered|healed|mended|got(?:ten)? over|got better)|(?:is|are|has been) (?:healed|recovered|mended|better|cured)|cast (?:is|came|has come) off|out of (?:the|his|her) (?:cast|sling|boot)|off crutches|se recuperou|recuperad|sarou|sarad|curad|curou|melhorou|cicatriz|tirou o gesso|tirou a bota|largou as muletas|sem muletas",
    ),
    _course(
        "hospital",
        r"(?:is|are|was|were|been|went) (?:in|into|to) (?:the )?hospital|hospitali[sz]ed|in intensive care|internad|(?:esta|ficou) n[ao] (?:hospital|uti)|foi para o hospital",
        r"(?:was |were |been |is )?(?:discharged|released)|(?:came|went|is|are|back) home|out of (?:the )?hospital|left (?:the )?hospital|teve alta|recebeu alta|ganhou alta|saiu do hospital|esta em casa|voltou para casa",
        alone=True,
    ),
    _course(
        "getting",
        r"(?:wants?|hopes?|would like|is (?:saving|looking|trying|planning|hoping)|saving|looking|plans) (?:up |to |for |at )+|is (?:after|shopping for)|ordered|(?:is|are) waiting for|quer |pretende |planeja |esta (?:juntando|procurando|querendo|esperando|atras)|esta de olho|encomendou|sonha em",
        r"(?:has |have )?(?:bought|got|gotten|adopted|purchased|acquired|found|received)\b|(?:has|have) arrived|arrived|comprou|ganhou|adotou|arrumou|arranjou|achou|conseguiu|chegou|chegaram|recebeu",
    ),
    _course(
        "selling",
        r"(?:is|are) (?:selling|trying to sell|thinking of selling)|(?:is|are) (?:up )?for sale|wants to sell|may sell|might sell|listed|vendendo|quer vender|a venda|talvez venda|pensa em vender|vai vender|pos a venda",
        r"(?:has |have |was |been )?sold\b|vendeu|vendid|foi vendid|decided (?:not to sell|to keep)|nao vai (?:mais )?vender|desistiu de vender",
    ),
    _course(
        "making",
        r"(?:is|are|has been) (?:building|making|writing|painting|renovating|restoring|knitting|recording|working on|translating|editing|reading)|half|(?:nearly|almost|partly) (?:done|finished|built)|esta (?:construindo|fazendo|escrevendo|pintando|reformando|restaurando|gravando|montando|traduzindo|editando|lendo)|em construcao|pela metade|quase pront|constroi|escreve ",
        r"(?:has |have )?(?:finished|completed|launched|published|released|handed in|submitted)|(?:is|are|was) (?:\w+ )?(?:finished|done|ready|complete|completed|launched|published)|is fully|terminou|acabou|concluiu|lancou|publicou|entregou|(?:esta|ficou|ficaram) pront|foi (?:lancad|publicad|concluid|entregue|inaugurad)",
    ),
    _course(
        "studies",
        r"(?:studies|is studying|is doing|is (?:in|on)|is training|is taking|attends|has been doing)\b|thesis|dissertation|estuda|cursa|faz (?:um |o )?(?:mestrado|doutorado|curso|faculdade|graduacao)|esta (?:estudando|cursando|fazendo|n[ao])|mestrand|doutorand|tese|dissertacao",
        r"(?:has |have )?(?:graduated|defended|passed (?:his|her|their|the) (?:defen[cs]e|finals|viva|exams?)|qualified|got (?:his|her|their|a) (?:degree|diploma|licen[cs]e|ticket|phd|doctorate|master))|(?:has |have )?finished (?:the|her|his|their) (?:course|degree|studies|phd|thesis)|se formou|formou-se|defendeu|e formad|concluiu|terminou (?:o|a) (?:curso|faculdade|mestrado|doutorado|graduacao)|virou (?:mestre|mestra|doutora?)",
    ),
    _course(
        "wager",
        r"(?:has |have )?(?:bet|wagered)\b|apostou",
        r"(?:has |have )?(?:won|lost|paid|called off)\b.*\b(?:bet|wager)|(?:ganhou|perdeu|pagou|venceu)\b.*\baposta",
    ),
    _course(
        "journey",
        r"(?:has |have )?(?:booked|reserved|planned|bought (?:a |the )?tickets?)|plans (?:to|a)|is (?:going|flying|travell?ing|planning)|reservou|marcou|comprou (?:a |as )?passage|vai (?:viajar|passar|para|pra|a)|planeja|pretende",
        r"(?:is|are|was|were|has been|looks) (?:probably |almost certainly |likely |now )?(?:off|in doubt|uncertain|cancell?ed|postponed|on hold)|has (?:postponed|put off|delayed)|(?:esta|foi|ficou) (?:\w+ )?(?:cancelad|adiad|suspens|em duvida|remarcad)|adiou|remarcou|desmarcou|(?:nao deve|talvez nao) (?:rolar|acontecer|sair|ir)|subiu no telhado",
    ),
)  # fmt: skip

_BORN = re.compile(r"\b(?:born|gave birth|given birth|newborn|nasceu|nascid|recem-nascid|deu a luz|arrived|chegou)\b")
_HAS_CHILD = re.compile(
    r"\b(?:has|have|tem|is) (?:a|an|um|uma|twin|gemeos|o|the) ?(?:\w+ )?(?:daughter|son|baby|twins|girl|boy|filh|bebe|menin|mae de|mother of)"
)
_DUE = re.compile(r"\b(?:due|prevista?|deve ter|vai ter|expected)\b")
_FUTURE = re.compile(r"\b(?:will|going to|is due to|plans? to|hopes? to|wants? to|(?:is|are) getting|if|unless|vai|vao|quer|pretende|deve|se)\b(?! (?:noiv|form|recuper|cas))")  # fmt: skip


def next_step(new: str, old: str, subject: str, message: str = "") -> int:
    """How surely ``new`` tells of a later step of what ``old`` told a step of: 0 for not at all, else 1 and more.

    >>> next_step("Ana got the job in Lisbon", "Ana has applied for a job at a museum in Lisbon", "Ana") > 0
    True
    >>> next_step("Ana deu à luz em maio", "Ana está grávida", "Ana") > 0, next_step("Ana found her keys", "Ana lost her ring", "Ana")
    (True, 0)
    """
    mine, other = _step(new, message), _step(old, "")
    best = 0
    for course in _COURSES:
        before, after = other.get(course.name), mine.get(course.name)
        if before is None or after is None or after <= before:
            continue
        one, two = matter(new, subject), matter(old, subject)
        common = shared(one, two) - _said_by(course)
        if course.name == "betrothal":
            best = max(best, 2 if one.names & two.names else 0)
        elif course.alone and not _elsewhere(course, one, two, new, old):
            best = max(best, 1 + len(common) + (_happening(new) == bool(_DUE.search(fold(old)))))
        elif not course.alone and common and _compatible(one, two):
            best = max(best, 1 + len(common))
    return best


@lru_cache(maxsize=8192)
def _step(text: str, message: str) -> dict[str, int]:
    """The last step of each course that a statement tells of; nothing that is still to come is one but the first."""
    said = fold(text)
    out: dict[str, int] = {}
    for course in _COURSES:
        for place, pattern in enumerate(course.steps):
            found = pattern.search(said)
            if found and (place == 0 or course.name in ("journey", "offer") or not _FUTURE.search(said[: found.end()])):
                out[course.name] = place
    if _HAS_CHILD.search(said) and "birth" not in out and _BORN.search(fold(message)):
        out["birth"] = 1
    return out


def _happening(text: str) -> bool:
    """Whether a statement tells the birth itself and not whose child it is."""
    return not _HAS_CHILD.search(fold(text))


def _elsewhere(course: _Course, one: Matter, two: Matter, new: str, old: str) -> bool:
    """Whether the statement of one's state speaks of somebody else's, or of the very place that was left."""
    return course.name == "work" and bool(one.names & two.names)


def _compatible(one: Matter, two: Matter) -> bool:
    """No two different names for what must be one thing."""
    return (
        not (one.names and two.names) or bool(one.names & two.names) or one.names <= two.words or two.names <= one.words
    )


@lru_cache(maxsize=64)
def _said_by(course: _Course) -> frozenset[str]:
    """Families of the words by which a course itself is told: they are no matter."""
    found: set[str] = set()
    for pattern in course.steps:
        found |= matter(" ".join(re.findall(r"[a-z]{4,}", pattern.pattern)), "").words
    return frozenset(found - _MATTER)


_MATTER = matter(
    "trip job course thesis baby girl boy contract interview exam book hospital dissertation vaga emprego curso tese bebê livro",
    "",
).words
"""Words that tell a course and are its matter all the same."""
