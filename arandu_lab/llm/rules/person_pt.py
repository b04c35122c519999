"""Portuguese: a predicate said in the first person, said in the third: *moro* -> *mora*, *minha* -> *sua*, *me
mudei* -> *se mudou*.
"""

from __future__ import annotations

from collections.abc import Sequence

from arandu_lab.llm.rules import lexicon_pt as lex
from arandu_lab.llm.rules.clauses import Subject
from arandu_lab.llm.rules.discourse import Discourse
from arandu_lab.llm.rules.tokens import Token

_FILLERS = frozenset("aí ai então entao realmente sinceramente basicamente simplesmente enfim finalmente mesmo".split())
_OWN = {
    "meu": "seu",
    "minha": "sua",
    "meus": "seus",
    "minhas": "suas",
    "nosso": "seu",
    "nossa": "sua",
    "nossos": "seus",
    "nossas": "suas",
}
_ARTICLE = {
    "meu": "o",
    "minha": "a",
    "meus": "os",
    "minhas": "as",
    "nosso": "o",
    "nossa": "a",
    "nossos": "os",
    "nossas": "as",
}
_HAS_ARTICLE = frozenset(
    "o a os as do da dos das no na nos nas ao à aos às pelo pela pelos pelas um uma num numa de com em".split()
)
_DATIVE = frozenset(
    "dar dizer contar falar mandar enviar pedir ensinar emprestar mostrar pagar perguntar trazer prometer oferecer".split()
)
_NOUNS = frozenset(
    "trabalho gosto jogo conto começo almoço uso acordo passo canto treino estudo corte foco troco caso parto custo peso "
    "como era via ia para sobre cria media banco rio vivo pinto ligo sumo sento".split()
)
_PLAIN = {
    "to": "está",
    "tô": "está",
    "tou": "está",
    "tá": "está",
    "tava": "estava",
    "tamos": "está",
    "tão": "estão",
    "tavam": "estavam",
}


def third_person(
    text: str, words: Sequence[Token], verb: int, subject: Subject, discourse: Discourse, *, borrowed: str = ""
) -> str:
    """The predicate ``words`` (its verb at index ``verb``) as the third person says it."""
    if not 0 <= verb < len(words):
        return ""
    mine = subject.kind == "speaker"
    out: list[str] = []
    place = words[0].start
    owner_after = ""
    object_after = ""
    for index, token in enumerate(words):
        low = token.low
        gap = text[place : token.start] if out else ""
        place = token.end
        new = token.text
        before = words[index - 1].low if index else ""
        if index < verb and low in _FILLERS:
            continue
        if not index and index != verb and new[:1].isupper() and (token.bare in lex.COMMON or low == "não"):
            new = low
        if low in ("n", "nao"):
            new = "não"
        elif index == verb:
            new = f"{borrowed} {low}" if borrowed else _finite(low, subject)
        elif low in _OWN:
            if mine:
                new = _OWN[low]
            else:
                owner_after = f" de {discourse.speaker}"
                if before in _HAS_ARTICLE:
                    continue
                new = _ARTICLE[low]
        elif low in ("me", "nos") and index < verb:
            if mine:
                new = "se"
            else:
                object_after = (
                    f" a {discourse.speaker}" if lex.lemma(words[verb].low) in _DATIVE else f" {discourse.speaker}"
                )
                continue
        elif low == "me" and index > verb:
            new = "se" if mine else discourse.speaker
        elif low in ("mim", "comigo", "conosco"):
            name = discourse.speaker
            new = name if low == "mim" else f"com {name}" if not mine else "consigo"
        elif low in ("eu", "nós"):
            if index + 1 < len(words) and words[index + 1].low in lex.forms():
                continue
            new = discourse.speaker
        elif (
            index > verb
            and before in ("que", "e", "eu", "quando", "não", "onde", "mas", "se", "já")
            and _only_first(low)
        ):
            new = _finite(low, subject if mine else Subject("speaker", discourse.speaker, discourse.speaker))
        elif low in _PLAIN and low != "tão":
            new = _PLAIN[low]
        out.append(gap + new)
        if index == verb and object_after:
            out.append(object_after)
            object_after = ""
        if owner_after and low not in _OWN and token.word:
            out.append(owner_after)
            owner_after = ""
    return " ".join("".join(out).split())


_PUNCTUAL = frozenset(
    "separar terminar mudar voltar casar comprar adotar ganhar chegar decidir noivar conhecer começar acabar brigar vender "
    "encontrar descobrir nascer batizar divorciar romper sair resolver abrir fechar assinar marcar entrar perder".split()
)


def _only_first(low: str) -> bool:
    tags = {tag for _, tag in lex.forms().get(low, ())}
    return (
        low not in _NOUNS
        and bool(tags)
        and all(tag.endswith((".1s", ".1p")) and not tag.startswith(("impf", "cond")) for tag in tags)
    )


def _finite(low: str, subject: Subject) -> str:
    """The finite verb in the third person: singular, or plural where two are the subject."""
    if low in _PLAIN:
        return _PLAIN[low]
    if subject.kind != "speaker":
        return low
    if low.endswith("ei") and not lex.forms().get(low) and len(low) > 4:
        stem = low[:-2]
        return (stem[:-2] + "c" if stem.endswith("qu") else stem[:-1] if stem.endswith("gu") else stem) + "ou"
    plural = bool(subject.also)
    readings = lex.forms().get(low, ())
    for verb, tag in sorted(readings, key=lambda reading: reading[1].startswith("fut")):
        if "." not in tag:
            continue
        tense, person = tag.split(".")
        if person == "3s" and not plural:
            return low
        if person in ("1s", "1p"):
            forms = lex.conjugation(verb)
            if person == "1p" and verb in _PUNCTUAL:
                tense = "pret"
            if plural:
                return forms.get(f"{tense}.3p", low)
            return forms.get(f"{tense}.3s") or forms.get(f"{tense}.1s", low)
    return low
