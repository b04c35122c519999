"""Portuguese ways to state an attribute. Patterns fit a whole folded predicate (or what stands after "o hobby de Ana"). Tables only."""

# ruff: noqa: E501  (tables of words and patterns read better on long lines)

from __future__ import annotations

OCCUPATIONS = """acougueir administrador advogad aeromoca agente agricultor agronom alfaiate analista animador antropolog apicultor arqueolog arquitet arquivista artesao artesa artista assessor
assistente astronauta astronom ator atriz auditor auxiliar baba bailarin bancari barbeir barista barqueir bibliotecari biolog bombeir bordadeira botanic cabeleireir caixa cantor capitao carpinteir
carteir caseir cenograf ceramista chaveir chef chefe cientista cinegrafista cirurgia cirurgiao coach comediante comissari compositor confeiteir conselheir consultor contador contadora coordenador
copeir coreograf corretor costureir cozinheir cuidador curador cobrador dancarin delegad dentista deputad desenhista desenvolvedor designer despachante detetive diagramador diarista diplomata diretor
dramaturg economista editor eletricista embaixador empregad empreendedor empresari encanador enfermeir engenheir entregador escritor escultor estagiari estilista estatistic farmaceutic faxineir ferreir
filosof fiscal fisic fisioterapeuta florista fonoaudiolog fotograf freelancer funileir gari garcom garconete garimpeir geograf geolog gerente gesseir gestor goleir guarda guia historiador
ilustrador inspetor instrutor interprete investigador jardineir joalheir jogador jornaleir jornalista juiz juiza lavrador leiloeir linguista livreir locutor luthier maestr magic manicure maquiador maquinista marceneir
marinheir massagista matematic mecanic medic mestre meteorologista militar modelista modelo mordom motorista motoboy musicista musico neurologista notari nutricionista oceanograf operador otico ourives padeir
padre paisagista palhac pastor pecuarista pedagog pediatra pedreir peixeir pescador pesquisador piloto pintor pianista poeta policial politic porteir prefeit produtor professor programador promotor
psicolog psiquiatra publicitari quimic radialista radiologista recepcionista redator reporter relojoeir revisor roteirista sapateir secretari segurança seguranca serralheir servente sociolog socorrista soldado soldador
sommelier taxista topograf tecelao tecela tecnic telefonista terapeuta torneir trabalhador tradutor treinador tutor vaqueir vendedor vereador veterinari vidraceir vigia vigilante zelador zoolog"""

_IN = r"(?:em|n[ao]s?|num|numa|nums)"
_OF = r"d(?:e|[ao]s?)"
_MATE = r"(?:namorad[ao]|companheir[ao]|noiv[ao]|parceir[ao])"
_SPOUSE = r"(?:espos[ao]|marido|mulher|conjuge)"
_SIBLING = r"(?:irma|irmao|meia-irma|meio-irmao|gemeo|gemea|mano|mana)(?: mais (?:nov|velh)[ao])?"
_MINE = r"(?:pai|mae|padrasto|madrasta)"
_KID = r"(?:filh[ao]|enteado|enteada)(?: mais (?:nov|velh)[ao])?"
_BOSS = r"(?:chef[ea]|gerente|supervisor|supervisora|orientador|orientadora|superior)"
_CALLED = r"(?:,? (?:chamad[ao]|que se chama|de nome|cujo nome e|por nome) |, )"
_COURSE = r"(?:um |o |uma |a )?(?:curso|faculdade|graduacao|licenciatura|bacharelado|mestrado|doutorado|pos-graduacao)"

ABOUT = (
    ("home", rf"(?:mora|moram|vive|reside|esta morando|esta vivendo|tem (?:a |sua )?(?:moradia|residencia|casa)|foi morar|passou a morar|veio morar|fixou residencia|se instalou|instalou-se|continua morando)(?: \w+mente| sozinh[ao])? {_IN} (?P<v>.+)|(?:se mudou|mudou-se|mudou|se muda|muda-se)(?: de casa| de vez)?(?: {_OF} (?!ideia\\b)[^,;]{{1,40}}?)? (?:para|pra|pro|pros)(?: [oa]s?)? (?P<v2>.+)"),
    ("project", rf"(?:faz parte|e|participa) (?:da|de uma) equipe {_OF} (?P<v>.+)|(?:trabalha|colabora|esta trabalhando) (?:com o |no |em |num )(?P<v2>(?:projeto|aplicativo|app|livro|disco|filme)\b.+)|colabora (?:com|{_IN}) (?P<v3>.+)|esta na equipe {_OF} (?P<v4>.+)|participa (?P<v5>do projeto .+)"),
    ("role", r"(?:trabalha|atua|esta trabalhando|passou a trabalhar|ganha a vida|vive) como (?P<v>.+)|(?:trabalha|passou a trabalhar) de (?P<v2>\\w+(?: \\w+)?)"),
    ("employer", rf"(?:trabalha|esta trabalhando|continua trabalhando|comecou a trabalhar|passou a trabalhar)(?: \w+mente)? (?:{_IN}|para [ao]s?|para|pra|pro) (?P<v>.+)|e (?:um |uma )?(?:nov[ao] )?(?:funcionari[ao]|empregad[ao]|colaborador|colaboradora) {_OF} (?P<v2>.+)|(?:tem|arrumou|conseguiu|arranjou) (?:um |o )?(?:\w+ )?emprego {_IN} (?P<v3>.+)|(?:foi contratad[ao]|esta empregad[ao]|foi admitid[ao]) (?:pel[ao]s?|por|{_IN}) (?P<v4>.+)"),
    ("school", rf"(?:estuda|e alun[ao]|esta matriculad[ao]) (?:{_IN}|{_OF}) (?P<v>(?:universidade|faculdade|escola|instituto|colegio|u[a-z]{{2,4}}\b|if[a-z]*\b|usp|puc).*)|frequenta (?P<v2>.+)"),
    ("study", rf"(?:estuda|cursa|esta estudando|esta cursando) (?!(?:em|na|no|para|pra|com|muito|bastante)\b)(?P<v>.+)|(?:faz|esta fazendo|esta em|comecou|cursa) {_COURSE} (?:de|em) (?P<v2>.+)|e (?:alun[ao]|estudante) de (?P<v3>.+)"),
    ("partner", rf"(?:namora|esta namorando|comecou a namorar|voltou a namorar|continua namorando)(?: com)?(?: [ao])? (?P<v>.+)|e {_MATE} {_OF} (?P<v2>.+)|(?:tem|esta em|vive|mantem) um (?:relacionamento|namoro|romance)(?: amoroso)? com (?P<v3>.+)|tem (?:um |uma )?{_MATE}{_CALLED}(?P<v4>.+)|e (?P<v5>.+) (?:namoram|sao namorad[ao]s|estao juntos|sao um casal)"),
    ("spouse", rf"(?:e|esta) casad[ao] com (?P<v>.+)|e {_SPOUSE} {_OF} (?P<v2>.+)|(?:casou-se|se casou|casou) com (?P<v3>.+)|tem (?:um |uma )?{_SPOUSE}{_CALLED}(?P<v4>.+)|e (?P<v5>.+) sao casados"),
    ("boss", rf"tem (?P<v>.+) como {_BOSS}|(?:responde|se reporta|e subordinad[ao]) a(?:o|os|s)? (?P<v2>.+)|e (?:chefiad|orientad|supervisionad|gerid)[ao](?: .+?)? por (?P<v3>.+)|tem (?:um |uma )?(?:nov[ao] )?{_BOSS}{_CALLED}(?P<v4>.+)"),
    ("origin", rf"(?:e|veio|vem)(?: natural| originari[ao]| original)? {_OF} (?P<v>.+)|nasceu(?: e (?:cresceu|se criou))? (?:{_IN}) (?P<v2>(?!\d)(?!(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|dia)\b).+)"),
    ("birthday", r"nasceu (?:em|no dia) (?P<v>\d.+)|(?:faz|comemora) aniversario (?:em|no dia|dia) (?P<v2>.+)"),
    ("age", r"(?:tem|fez|completou) (?P<v>[\w-]+(?: e [\w-]+)?) anos(?: de idade)?"),
    ("allergy", r"e (?:muito )?(?:alergic[ao]|intolerante) a(?:o|os|s)? (?P<v>.+)|(?:tem|sofre de) (?:uma )?(?:alergia|intolerancia) (?:a|ao|aos|as|de) (?P<v2>.+)"),
    ("member", rf"e (?:um |uma )?(?:membr[ao]|integrante|participante|associad[ao]) {_OF} (?P<v>.+)|(?:faz parte|participa) {_OF} (?P<v2>.+)|pertence a(?:o|os|s)? (?P<v3>.+)|integra (?P<v4>.+)"),
    ("sibling", rf"e (?:a |o |um |uma )?{_SIBLING} {_OF} (?P<v>.+)|tem (?:um |uma ){_SIBLING}{_CALLED}(?P<v2>.+)|e (?P<v3>.+) sao (?:irmaos|irmas|gemeos|gemeas)"),
    ("child", rf"e (?:o |a )?{_MINE} {_OF} (?P<v>.+)|(?:tem|teve) (?:um |uma ){_KID}{_CALLED}(?P<v2>.+)"),
    ("parent", rf"e (?:o |a |um |uma )?{_KID} {_OF} (?P<v>.+)"),
    ("friend", rf"e (?:um |uma |muito |o |a )?(?:grande |melhor )?(?:amig[ao]|colega) {_OF} (?P<v>.+)|tem (?:uma )?amizade com (?P<v2>.+)|tem (?:um |uma )(?:grande )?amig[ao]{_CALLED}(?P<v3>.+)|e (?P<v4>.+) sao (?:grandes |muito )?amig[ao]s"),
    ("named", rf"(?:tem|cria|possui|adotou|ganhou) (?:um|uma|outr[ao]) (?P<x>[\w -]+?){_CALLED}(?P<v>.+)|tem (?P<v2>.+) como (?:animal de estimacao|bicho de estimacao|pet|mascote)|cria (?P<v3>[^,]+)(?P<x2>, .+)?"),
    ("language", r"(?:fala|sabe falar|domina|se vira em) (?P<v>.+)|e (?:fluente|proficiente) em (?P<v2>.+)"),
    ("plan", r"tem (?P<v>.+?) (?:nos|em seus) planos(?: (?P<x>.+))?|(?:planeja|pretende|tenciona|esta planejando|tem planos de|tem o plano de) (?P<v2>.+)"),
    ("likes", rf"(?:gosta(?: muito| bastante| demais)? {_OF}|adora|ama|curte|aprecia|e (?:fa|apaixonad[ao]|louc[ao]|vidrad[ao]|doid[ao]|maluc[ao]) (?:{_OF}|por|pel[ao]s?)|tem paixao por|se amarra em|amarra-se em) (?P<v>.+)"),
    ("dislikes", rf"(?:detesta|odeia|abomina|nao suporta|nao aguenta|nao tolera|tem (?:horror|pavor|nojo|aversao) (?:a|{_OF})) (?P<v>.+)"),
    ("hobby", r"tem (?P<v>.+) como (?:hobby|passatempo)|tem (?:como|por) (?:hobby|passatempo) (?P<v2>.+)|se dedica (?:a|ao|as|aos) (?P<v3>.+?) n(?:as horas vagas|o tempo livre|as folgas|os fins de semana)"),
    ("health", r"(?:sofre (?:de|com)|foi diagnosticad[ao] com|tem diagnostico de) (?P<v>.+)"),
    ("owns", rf"(?:tem|possui|e don[ao] {_OF}|e proprietari[ao] {_OF}) (?P<v>(?:um|uma|dois|duas|tres) .+)"),
    ("has", r"(?:tem|esta com) (?P<v>.+)"),
    ("role?", r"(?:e|virou|se tornou|tornou-se|passou a ser|continua|continua sendo) (?P<v>.+)"),
)  # fmt: skip

OF = {
    "home": r"casa|residencia|moradia|endereco|cidade|apartamento",
    "employer": r"empregador|empregadora|local de trabalho|empresa",
    "role": r"profissao|ocupacao|cargo|funcao|oficio",
    "study": r"curso|graduacao|area de estudo|faculdade",
    "partner": _MATE,
    "spouse": _SPOUSE,
    "boss": _BOSS,
    "origin": r"cidade natal|terra natal|naturalidade",
    "birthday": r"aniversario|data de nascimento",
    "allergy": r"alergia",
    "sibling": _SIBLING,
    "child": _KID,
    "parent": _MINE,
    "friend": r"(?:melhor |grande )?amig[ao]",
    "named": r"gat[ao]|cachorr[ao]|cadela|cao|papagaio|jabuti|tartaruga|hamster|coelh[ao]|caval[ao]|passaro|peixe|bicho de estimacao|animal de estimacao|mascote",
    "project": r"projeto(?: atual| novo)?",
    "hobby": r"hobby|passatempo",
    "plan": r"plan[ao]s? (?:de|para)",
}  # fmt: skip

COPULA = rf"(?:e|sao|era|fica|se chama|chama-se|cai)(?: (?:{_IN}|agora|o|a|no dia))*"

TRUE_NO_MORE = (r"(?:ja )?nao e (?:mais )?(?:verdade|o caso) que", r"deixou de ser verdade que")
ENDED = (
    (r"ja nao (.+?)(?: mais)?", r"\1"),
    (r"nao (\S+) mais (.+)", r"\1 \2"),
    (r"nao (.+) mais", r"\1"),
    (r"(?:deixou|parou) de (?:ser|estar) (.+)", r"e \1"),
    (r"(?:deixou|parou) de (.+)", r"\1"),
    (rf"saiu (?:do emprego )?(?:{_OF}) (.+)", r"trabalha em \1"),
    (rf"pediu (?:demissao|as contas) (?:{_OF}|n[ao]s?) (.+)", r"trabalha em \1"),
    (rf"foi (?:demitid[ao]|desligad[ao]) (?:{_OF}|pel[ao]) (.+)", r"trabalha em \1"),
)  # fmt: skip
LET_GO = rf"(?:largou|abandonou|desistiu {_OF}|cancelou|trancou|deixou)(?: (?:[ao]s?|um|uma))?(?: (?:plano|ideia|hobby|curso) {_OF})? (?P<v>.+?)(?: como (?:hobby|passatempo))?"
OFF = r"(?:foi cancelad[ao]|cancelad[ao]|desfeit[ao]|furou|nao vai rolar|nao vai acontecer|caiu|foi por agua abaixo|deu errado|de pe nao)"
DENIED = (
    (r"nao (.+)", r"\1"),
    (r"nunca (.+)", r"\1"),
    (r"jamais (.+)", r"\1"),
)  # fmt: skip
FILLERS = r"\b(?:agora|atualmente|ainda|tambem|ja(?! nao)|hoje em dia|ultimamente|realmente|de fato|no momento|de novo|mesmo|simplesmente|bastante|tid[ao] como|considerad[ao] como|considerad[ao]|vist[ao] como)\b"
HABIT = (
    r"(?:tem|mantem) (?:o |um |como |por )?(?:seguinte )?(?:costume|habito)(?: seguinte)?(?: de|:| e) (.+)",
    r"vai ((?!ser\b|ter\b|estar\b)\w+r\b.+)",
    r"(?:comecou|voltou|passou) a ((?!trabalhar|morar|namorar|ser)\w+r\b.*)",
)
TAIL = r"(?:,|;|\(| - |\bdesde\b|\bporque\b|\bonde\b|\bque\b|\bdepois\b|\bate\b|\bh[a] \d|\bha \w+|\bfaz \w+ (?:anos|meses|semanas|dias)|\b(?:em|a partir de|desde|para) (?:\d|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|meados)|\bno dia \d|\bn[ao] (?:(?:fim de )?semana|verao|outono|inverno|primavera) de \d|\bcom (?:a|o|seu|sua|os|as)\b|\btod[ao]s? [ao]s?\b|\bdemais\b|\bde paixao\b)"
ROLE_TAIL = r"\b(?:em|na|no|nas|nos|da|do|das|dos)\b"
SMALL = "o a os as um uma de da do das dos seu sua seus suas"
