"""Portuguese patterns of the attributes, from the telling to the vague."""

# ruff: noqa: E501  (tables of words and patterns read better on long lines)

from __future__ import annotations

import re
from functools import cache

from arandu_lab.llm.rules import lexicon_pt as lex

NEGATION = re.compile(r"\b(?:não|nao|nunca|jamais|nem|sem|parou|deixou|largou|nenhum\w*)\b", re.IGNORECASE)
ENDED = re.compile(
    r"\b(?:não [^.;]{1,60}? mais|não mais|não [\w]+ mais|deixou de|parou de|largou|desistiu|cancel(?:ou|ad[oa]s?)|saiu d[aeo]|(?:se )?aposent(?:ou|ad[oa])(?:-se)? d|pediu demissão|"
    r"foi (?:demitid[oa]|desligad[oa])|terminou|terminaram|separ(?:ou|aram)|divorci(?:ou|aram)|vendeu|ex-|antig[oa]|abandonou|acabou com|desfez)",
    re.IGNORECASE,
)
_NAME = (r"(?P<v{n}>(?-i:[A-ZÀ-Ý][\w'’&.-]*(?: (?:(?:de|da|do|dos|das|of|&) )?[A-ZÀ-Ý][\w'’&.-]*)*))")  # fmt: skip
_OBJ = r"(?P<v{n}>[^.;:!?]{{2,120}})"
_IN = r"(?:em|na|no|nas|nos|num|numa|pra|para|pro|ao|à)"


def _accented(words: frozenset[str] | dict[str, str]) -> str:
    """An alternation of folded words that also fits their accented spellings."""
    parts = []
    for word in sorted(words, key=len, reverse=True):
        parts.append(re.sub(r"[aeiouc]", lambda found: _ACCENTS[found[0]], word))
    return "|".join(parts)


_ACCENTS = {"a": "[aáâãà]", "e": "[eéê]", "i": "[ií]", "o": "[oóôõ]", "u": "[uúü]", "c": "[cç]"}
_KIN = _accented(lex.KIN)
_PET = _accented(lex.PETS)
_ROLE = _accented(lex.ROLES)
_LANGUAGE = ("inglês|francês|espanhol|alemão|italiano|português|chinês|mandarim|japonês|russo|coreano|árabe|hindi|holandês|sueco|norueguês|"
             "grego|turco|polonês|hebraico|latim|libras|tupi|iorubá")  # fmt: skip


def _kin(words: str) -> str:
    return rf"(?:é|era|são) (?:a |o |as |os )?(?:melhor |grande )?(?:{words})\w*(?: \w+){{0,2}}? d[aeo]s? NAME|^(?:o |a )?(?:{words})\w* de [^.]{{1,50}}? (?:é|se chama|chama-se|chama) (?:o |a )?NAME"


_TABLE = (
    ("ex_partner", r"^[A-ZÀ-Ý][\w' -]{1,40}? (?:largou|deixou) NAME$|\b(?:(?:foi )?(?:deixad|largad)[oa] por NAME|terminou|terminaram|separou|separou-se|separaram|se separ(?:ou|aram)|divorci(?:ou|aram)|rompeu|romperam)\b(?:[^.;]{0,30}? (?:com|de|do|da) (?:o |a )?NAME)?|(?:é|era) ex(?:-\w+)? d[aeo] NAME"),
    ("spouse", r"\b(?:casad[oa]s?|casou|casaram|se casou|casar)\b(?:[^.;]{0,20}? com (?:o |a )?NAME)?|" + _kin("esposa|marido|mulher|esposo|cônjuge")),
    ("partner", r"\b(?:namora|namorando|namorou|noivou|noiv[oa] d[aeo]|está (?:saindo|ficando) com)(?:[^.;]{0,20}? (?:com )?(?:o |a )?NAME)?|" + _kin("namorad[oa]|noiv[oa]|companheir[oa]|parceir[oa]")),
    ("child", _kin("filh[oa]|enteado|enteada|caçula") + r"|\b(?:é|são) (?:mãe|pai|pais) d[aeo]s? NAME|\b(?:tem|teve|tiveram|têm) (?:um|uma|dois|duas|três|quatro|\d+) (?:filh[oa]s?|menin[oa]s?|gêmeos|bebê)(?:[^.;]{0,20}?,? (?:chamad[oa] )?NAME)?|\bnasceu (?:o|a) (?:filh[oa]|menin[oa]|bebê)\b|\bespera (?:um|uma) (?P<v9>menin[oa]|bebê)"),
    ("parent", _kin("mãe|pai|madrasta|padrasto|mainha|painho")),
    ("sibling", _kin("irmão|irmã|gême[oa]|mano|mana") + r"|\btem (?:um|uma|dois|duas|três|\d+) irmã(?:o|os|s)?\b"),
    ("boss", _kin("chefe|chefa|gerente|supervisor|supervisora|orientador|orientadora|patrão|patroa") + r"|\b(?:é orientad[oa]|orientad[oa]|chefiad[oa])[^.;]{0,20}? por NAME|\btem NAME como chefe"),
    ("colleague", _kin("colega|sóci[oa]|estagiári[oa]")),
    ("friend", _kin("amig[oa]|vizinh[oa]|parça")),
    ("relative", _kin(_KIN)),
    ("pet", rf"\b(?:tem|teve|têm|adotou|adotaram|ganhou|resgatou|comprou|pegou)\b (?:[\w-]+ ){{0,4}}?(?:{_PET})s?\b(?:[^.;]{{0,20}}?,? (?:chamad[oa]|que se chama|de nome)? ?NAME)?|" + _kin(_PET)),
    ("allergy", r"\balérgic[oa]s? (?:a|ao|à|aos|às) OBJ|\balergia (?:a|ao|à|aos|às|de|é) OBJ|\bintolerante (?:a|ao|à) OBJ|\bintolerância (?:a|à|ao) OBJ"),
    ("diet", r"\b(?P<v7>vegan[oa]|vegetarian[oa]|pescetarian[oa]|sem glúten|low carb|sem lactose|sem sal|sem açúcar)\b|\b(?:não|nunca|parou de|deixou de) (?:come|comer|bebe|beber|toma|tomar)(?: mais)? (?P<v8>(?:carne|peixe|leite|lactose|glúten|açúcar|álcool|café|frango|porco|ovo|queijo)[^.;]*)|\bcome (?P<v6>(?:carne|peixe|ovo|queijo|frango)[^.;]*)"),
    ("birthday", r"\baniversário (?:de [\w ]+ )?(?:é|foi|cai)(?: em| no)?(?: dia)? OBJ|\bfaz aniversário (?:em |no |dia )?OBJ|\bnasceu (?:em|no|dia) (?P<v9>(?:dia )?\d[^.;]*)"),
    ("age", r"\b(?:tem|fez|faz|completou|completa|vai fazer) (?P<v9>[\w-]+ anos)\b(?! de (?:namoro|casa|experiência))"),
    ("name", r"\b(?:prefere ser chamad[oa] de|é conhecid[oa] como|o apelido é|mudou (?:o|seu) nome para|o nome completo é) NAME"),
    ("health", r"\b(?:diagnosticad[oa] com|sofre de|se recupera de|está com (?=gripe|febre|covid|dengue|dor|pressão|sinusite|enxaqueca|depressão|ansiedade|diabetes)|tem (?=diabetes|asma|câncer|enxaqueca|artrite|ansiedade|depressão|tdah|insônia|pressão|hipertensão|rinite)) ?OBJ|\b(?:quebrou|torceu|machucou|rompeu|fraturou|deslocou) (?P<v8>(?:o|a|seu|sua|os|as) [\w ]+)|\b(?P<v9>grávida[^.;]*)|\b(?:operou|fez) (?P<v6>(?:o|a|uma|cirurgia|operação)[^.;]*(?:cirurgia|operação|joelho|ombro)[^.;]*)"),
    ("studies_at", r"\b(?:estuda|estudou|estudando|faz|fez|fazendo|cursa|cursou|cursando|matriculou|se formou|formou-se|formad[oa]|passou|entrou|mestrado|doutorado|graduação|faculdade|aluna|aluno)\b[^.;]{0,40}?\b(?:na|no|pela|pelo|em) (?P<v1>(?-i:(?:Universidade|Faculdade|Instituto|Escola|Colégio|U[A-Z]{2,5}|IF[A-Z]{0,3}|USP|PUC|[A-Z]{3,6})(?: (?:(?:de|da|do|dos|das) )?[A-ZÀ-Ý][\w'’.-]*)*))|\b(?:estuda|estudou|estudando|cursa) (?:[\w ]{1,30} )?(?:na|no) NAME"),
    ("works_at", r"\b(?:saiu|foi demitid[oa]|foi desligad[oa]|pediu demissão|se demitiu|aposentou-se|se aposentou|foi mandad[oa] embora|aposentad[oa])\b(?:[^.;]{0,20}? (?:da|do|de|dos|das) NAME)"),
    ("has_role", rf"^[^.;,]{{1,60}}? (?:é|era|virou|se tornou|continua)(?: agora| hoje| também| um| uma| a| o)* (?P<v9>(?:{_ROLE})\b(?: de [a-zà-ú]+)?)(?: (?:na|no|em|da|do) [^.;]*)?(?: desde [^.;]*)?\.?$"),
    ("works_at", r"\b(?:trabalha|trabalhou|trabalhava|trabalhando|trabalhar|empregad[oa]|estagia|estagiando|estágio|emprego|vaga|começou|começa|contratad[oa]|entrou|plantão|dá aula|dá aulas|aula|leciona|ensina|atende|cozinheir[oa]|professor[a]?|enfermeir[oa]|engenheir[oa]|gerente|analista)\b[^.;]{0,40}?\b(?:na|no|pra|para a|para o|pela|pelo|nos|nas|em|da|do) NAME|\bfoi (?:pra|para a|para o|pro) NAME como\b"),
    ("has_role", rf"\b(?:trabalha|trabalhou|trabalhava|trabalhando|começou|promovid[oa]|contratad[oa]|atua|foi)\b (?:[^.;]{{1,40}} )?(?:como|a|de|para) (?P<v8>(?:{_ROLE})\b[^.;]*)|\b(?:é|era|virou|se tornou|foi|está de|continua)(?: agora| hoje| também| um| uma| a| o)* (?P<v9>(?:{_ROLE})\b[^.;,]*)|\btrabalha com (?P<v7>[^.;]+)|\bdá aulas? de (?P<v6>[^.;]+)"),
    ("from", r"\b(?:é|era|veio|são)(?: natural| nascid[oa])? d[aeo]s? NAME|\bnasceu(?: e (?:cresceu|se criou))? (?:em|no|na) NAME|\bcresceu (?:em|no|na) NAME|\bse criou (?:em|no|na) NAME|\bfoi criad[oa] (?:em|no|na) NAME|\bcresceu (?:em|no|na) OBJ"),
    ("lives_in", rf"\b(?:mora|morou|morava|morando|morar|moram|vive|viveu|vivia|vivendo|reside|mudou|mudou-se|mudaram|mudar|mudando|instalou)\b(?: [\w-]+){{0,3}}? {_IN} OBJ|\b(?:apartamento|casa|ap)\b[^.;]{{0,30}}? (?:fica|é) {_IN} OBJ|\b(?:mora|vive|morando) (?P<v9>(?:com|sozinh[oa])[^.;]*)"),
    ("language", rf"\b(?:fala|aprende|aprendendo|estuda|estudando|fluente em|aprender|falar) (?P<v1>(?:[\w ]+ )?(?:{_LANGUAGE})\b[^.;]*)"),
    ("studies", r"\b(?:estuda|estudou|estudando|cursa|cursou|cursando|faz (?=mestrado|doutorado|faculdade|curso|graduação|pós|letras|direito|medicina|engenharia)|fazendo (?=mestrado|doutorado|faculdade|curso)|formad[oa] em|se formou em|aprendendo)(?: a)? ?OBJ"),
    ("dislikes", r"\b(?:odeia|odiou|odiava|detesta|detestou|não (?:\w+ )?(?:gosta|curte|suporta|aguenta)(?: (?:muito|mais|nem um pouco))?(?: de)?|tem (?:medo|pavor|horror|nojo) (?:de|a)|morre de medo de) OBJ"),
    ("likes", r"\b(?:gosta(?:va|ou)?(?: muito| demais| bastante)? d[aeo]s?|gosta (?:muito |mais )?de|ama|amou|adora|adorou|adorava|curte|curtiu|prefere|preferia|preferiu|é (?:fã|apaixonad[oa]|viciad[oa]|louc[oa]|doid[oa]) (?:de|por|em|da|do|pela|pelo)|torce (?:pelo|pela|pro|para o)|é torcedor[a]? d[aeo]) OBJ|\b(?:favorit[oa]|preferid[oa])s?(?: de [\w ]+)? (?:é|são) OBJ"),
    ("plan", r"\b(?:vai|vão|planeja|pretende|quer|queria|gostaria de|tem planos|marcou|está (?:marcad[oa]|pensando em|planejando|querendo|pra)|reservou|deve|precisa|prometeu|se comprometeu|comprometeu-se|pensa em|sonha em|espera|viaja (?=dia|em|na|no|amanhã))\b ?OBJ|\b(?P<v8>\w+rá\b[^.;]*)"),
    ("project", r"\b(?:escrevendo|construindo|desenvolvendo|montando|trabalhando (?:em|num|numa)|reformando|criando|restaurando|escreve|lidera|lança|começou a (?:escrever|construir|montar|criar)) OBJ"),
    ("member_of", r"\b(?:membro|integrante|sóci[oa]|faz parte) d[aeo] OBJ|\b(?:toca|canta|joga|participa|voluntári[oa]) (?:na|no|em|da|do|pelo|pela) OBJ"),
    ("habit", r"\b(?:tod[oa]s?(?: [oa]s?)? (?:dia|dias|manhã|noite|semana|mês|ano|segunda|terça|quarta|quinta|sexta|sábado|domingo)|aos (?:sábados|domingos)|às (?:segundas|terças|quartas|quintas|sextas)|sempre|costuma|duas vezes por|uma vez por|(?:parou|deixou|voltou) (?:de|a) (?:fumar|beber)|fuma|acorda)\b"),
    ("habit", r" (?:não|nunca) (?P<v8>[a-zà-ú]{3,})(?: (?:mais|direito))?$"),
    ("hobby", r"\b(?:joga|jogando|toca|tocando|pratica|praticando|treina|treinando|coleciona|faz (?=yoga|ioga|pilates|natação|hidroginástica|crossfit|academia|judô|capoeira|aula|aulas|trilha|cerâmica|teatro|dança)|começou (?:a |as aulas de )|aprendendo a|entrou (?:na|no) (?=yoga|natação|academia|aula)) ?OBJ|\b(?P<v8>(?:corre|pinta|dança|caminha|escala|nada|pedala|surfa|borda|cozinha|pesca|rema|veleja|medita|canta)\b[^.;]*)"),
    ("owns", r"\b(?:vendeu|se desfez d[eoa]|doou) (?:(?:o|a|os|as|seu|sua) )?OBJ|\b(?:comprou|possui|é don[oa] de|dirige|ganhou|trocou (?:o|a|seu|sua) [\w ]+ por) OBJ|\btem (?P<v8>(?:um|uma|dois|duas|três) [^.;]+)"),
)  # fmt: skip


@cache
def patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """(attribute, compiled pattern) in order."""
    return tuple((name, re.compile(_filled(text), re.IGNORECASE)) for name, text in _TABLE)


def _filled(text: str) -> str:
    pieces = re.split(r"(NAME|OBJ)", text)
    number = 10
    for index, piece in enumerate(pieces):
        if piece in ("NAME", "OBJ"):
            pieces[index] = (
                (_NAME if piece == "NAME" else _OBJ).replace("{n}", str(number)).replace("{{", "{").replace("}}", "}")
            )
            number += 1
    return "".join(pieces)
