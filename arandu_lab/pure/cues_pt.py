"""Portuguese words and question patterns of ``cues``; folded."""

from __future__ import annotations

QUESTIONS = {
    "when": (
        r"\bquando\b",
        r"\b(?:que|qual|quais) (?:o |a )?(?:dia|mes|ano|data|semana|epoca|hora)\b",
        r"\bha quanto tempo\b",
        r"\bdesde quando\b",
    ),
    "where": (
        r"\b(?:onde|aonde)\b",
        r"\b(?:que|qual|quais) (?:o |a )?(?:cidade|bairro|pais|lugar|estado|restaurante|local)\b",
    ),
    "who": (r"\bquem\b", r"\bnome\b"),
    "many": (r"\bquant[oa]s?\b", r"\bnumero de\b", r"\bquantas vezes\b"),
    "why": (r"\bpor que\b", r"\bporque\b", r"\bmotivo", r"\brazao", r"\bmotiv", r"\binspir"),
    "feel": (r"\bsent(?:e|iu|ir|ia|indo)\b", r"\bcomo (?:foi|esta|estava|anda|ficou)\b"),
    "would": (r"\bprovavel", r"\b(?:gostaria|poderia|seria|faria|teria|iria)\b"),
    "plural": (
        r"\bquais\b",
        r"\bque (?!mes\b|pais\b)[a-z]+s\b",
        r"\b(?:coisas|ambos|ambas|em comum|atividades|lugares|todos os|todas as)\b",
    ),
}
"""Kind of question -> patterns on the folded text."""

AUXILIARY = "sera foi era esta estava tem tinha pode vai ha e".split()

ASKING = """qual quais quem quando onde aonde como quanto quantos quanta quantas que foi faz fez fazem costuma tipo coisa
coisas atualmente durante alguma algum etc""".split()

MONTHS = "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro".split()

TIME = """ontem anteontem hoje amanha semana semanas mes meses ano anos dia dias noite tarde manha atras passado passada
proximo proxima desde segunda terca quarta quinta sexta sabado domingo feriado verao inverno outono primavera aniversario
recentemente""".split()

NUMBER = """um uma dois duas tres quatro cinco seis sete oito nove dez onze doze vinte trinta cem mil primeiro primeira
segundo vez vezes""".split()

PLACE = "em no na nos nas ao para pra do da fui mora moro perto ali la".split()

KIN = """mae pai pais irmao irma filho filha esposa marido amigo amiga amigos amigas familia primo prima tio tia avo vo chefe
colega vizinho vizinha namorado namorada professor professora""".split()

REASON = "porque pois por motivo razao inspirou ajuda ajudou quero queria".split()

FEELING = """sinto senti sentir feliz triste animado animada orgulho adoro amo odeio gosto contente nervoso nervosa
cansado cansada saudade""".split()

SELF = "eu meu minha meus minhas nosso nossa nos gente mim".split()
