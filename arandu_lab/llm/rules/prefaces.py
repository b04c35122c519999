"""What a speaker puts around a statement: *by the way*, *word is that*, *or so I'm told*. It is taken off, and hearsay is weak."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from arandu_lab.llm.rules.clauses import Level
from arandu_lab.llm.rules.language import Language
from arandu_lab.llm.rules.sentences import Sentence
from arandu_lab.llm.rules.times import interval_last

_LEAD: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"^(?:(?:oh|ah|well|so|and|but|also|plus|yep|yeah|yes|no|hey|ok|okay|right|anyway|honestly|listen|look|guys|folks|fun fact|big news|news|update|reminder|quick update|heads[- ]up|"
        r"by the way|btw|incidentally|in other news|speaking of which|(?:and )?(?:another|one more|one other) thing|on top of that|besides(?: that)?|what else|while I(?: am|'m) at it|"
        r"for the record|just so you know|you should know that|guess what|you (?:will not|won't) believe (?:it|this)|believe it or not|(?:like|as) I (?:said|told you)(?: before)?|as (?:you|we)(?: all)? (?:may |might )?(?:already )?know|"
        r"no news there|nothing new(?: there)?|remember|before I forget|not that anyone asked|to be clear|call me odd|you can take it as read that|it turns out(?: that)?|turns out(?: that)?)(?:\s*[,:…]+\s*(?:but )?|\s*\.\.\.\s*|(?<=that) |(?<=also) |(?<=and) |(?<=but) |(?<=plus) |(?<=so) |(?<=turns out) |(?<=oh) ))+(?=\S)",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        r"^(?:(?:ah|oh|olha|olha só|olhe|bom|bem|então|e|mas|aí|aliás|também|sim|não|gente|pessoal|enfim|pois é|por sinal|a propósito|inclusive|"
        r"outra coisa|mais uma(?: coisa)?|tem mais|e tem mais|fora isso|além disso|mudando de assunto|falando nisso|novidade|novidades|aviso|lembrete|lembrando|só pra constar|pra constar|"
        r"adivinh(?:a|em)(?: só)?|acredita|como (?:eu )?(?:já )?(?:disse|falei|contei)|como (?:vocês|você|a gente) (?:já )?sabe(?:m)?|já falei|é isso mesmo|não esquece|"
        r"antes que eu esqueça|ninguém perguntou|nem contei)(?:\s*[,:…]+\s*(?:mas )?|\s*\.\.\.\s*|(?<=\be) |(?<=\bmas) |(?<=aliás) |(?<=então) ))+(?=\S)",
        re.IGNORECASE,
    ),
}
_HEARD: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"^(?:"
        r"(?:apparently|supposedly|allegedly|reportedly|seemingly|rumou?r has it(?: that)?|gossip has it(?: that)?|word has it(?: that)?|legend has it(?: that)?),? "
        r"|(?:the )?(?:latest )?(?:word|rumou?r|gossip|talk|story|whisper|chatter)s?(?: (?:going (?:a?round|about)|in \w+|on the street|around here|doing the rounds))?(?: is| goes| says)(?: that|,)? "
        r"|there (?:is|are) (?:a |some )?(?:rumou?rs?|talk|gossip)(?: going (?:a?round|about))? that "
        r"|(?:someone|somebody|a (?:little )?bird(?:ie)?|people|they|folks|a (?:friend|colleague|neighbou?r))(?: (?:just|have|has|are|at work|else|around here))* (?:told|tell|tells|say|says|said|saying|reckon|claims?|mentioned)(?: to)?(?: me| us)?(?: in (?:confidence|passing))?(?: that|,)? "
        r"|I (?:have )?(?:just )?(?:heard|hear|gather|was told|am told|have been told|understand|overheard|read)(?: in confidence| from (?:someone|somebody|a friend)| somewhere| it said)?(?: that|,)? (?=(?-i:[A-Z])|s?he |they |my |his |her )"
        r"|if (?:the |what |my )?(?:gossip|rumou?rs?|grapevine|talk|word|stories|people|they|I|source)\b[^,]{0,24}(?:right|true|correct|believed|trusted|mistaken|wrong|say|hear|heard), "
        r"|(?:from|by|going by|judging by|according to) (?:what|the (?:gossip|rumou?rs?|grapevine|talk)|people|others|someone|somebody)\b[^,]{0,30}, "
        r"|I (?:could|might|may) be (?:wrong|mistaken)[^,]{0,12}, (?:but )?(?:I (?:think|believe) )?(?:that )?"
        r"|(?:I am |)not (?:\w+ )?(?:sure|certain)[^,]{0,20}, but (?:I (?:think|believe) )?"
        r"|(?:do not|don't) quote me[^,]{0,12}, (?:but )?"
        r"|(?:I (?:think|believe|guess|reckon|suspect)(?: that)?|as far as I (?:know|can tell),?|I have a feeling(?: that)?|it (?:seems|looks|sounds)(?: like| as if| that)?) (?=(?-i:[A-Z][a-z])|s?he )"
        r")",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        r"^(?:"
        r"(?:aparentemente|supostamente|pelo visto|ao que (?:tudo )?(?:parece|indica)|ao que consta),? "
        r"|(?:parece|consta)(?: até| mesmo)? que "
        r"|(?:ouvi|escutei|fiquei sabendo|soube|vi|li)(?: (?:dizer|falar|contar|dizerem|falarem|por aí|por alto|ali|no grupo))*(?: de)? que "
        r"|(?:diz|dizem|falam|comentam|contam|andam dizendo|(?:es)?tão (?:dizendo|falando|comentando)|estão (?:dizendo|falando|comentando)|andam (?:falando|comentando))(?: por aí| por aqui)? que "
        r"|(?:me|nos) (?:disseram|contaram|falaram|disse|contou|falou|garantiram)(?: por aí| em segredo| no sigilo)? que "
        r"|(?:alguém|uma pessoa|um passarinho(?: verde)?|o pessoal|o povo|todo mundo|uma amiga|um amigo)(?: me| nos)? (?:disse|contou|falou|comentou|diz|fala|anda dizendo|comenta)(?: por aí)? que "
        r"|(?:corre|rola|circula|tem|há)(?: por aí)? (?:um|o|uns) (?:boatos?|rumor(?:es)?|papo|buchicho|zunzum)(?: por aí)?(?: de)? que "
        r"|(?:o|a) (?:boato|rumor|fofoca|papo|conversa|buchicho|notícia)(?: da vez| do momento| do dia| da semana| que corre| que rola| por aí| aqui)? é(?: de)? que "
        r"|(?:pelo|segundo o|do|conforme o|de acordo com o) que (?:me |nos |eu )?(?:contaram|disseram|falaram|dizem|ouvi|soube|sei|comentam|falam|andam dizendo|contam|consta)(?: por aí)?, "
        r"|(?:segundo|de acordo com|conforme) (?:as más línguas|dizem|a fofoca|os boatos|o boato|o povo|a rádio[- ]corredor|alguém), "
        r"|(?:não ponho|não boto|não coloco) (?:a )?mão no fogo[^,]{0,10}, (?:mas )?"
        r"|(?:posso (?:estar|tá) (?:errad[oa]|enganad[oa])|não tenho (?:certeza|muita certeza)|não sei se (?:é verdade|procede|é certo)|se não me engano|salvo engano|não me cobrem?|vai saber)[^,]{0,10}, (?:mas )?(?:acho que )?"
        r"|(?:acho|creio|imagino|desconfio|suspeito) que (?=(?-i:[A-ZÀ-Ý][a-zà-ÿ])|(?:el[ea]|o|a) )"
        r")",
        re.IGNORECASE,
    ),
}
_TOLD: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        r",? (?:or (?:so|at least that is what) (?:I|they|people|the|everyone)\b[^,.;]{0,30}|or that is what [^,.;]{0,30}|(?:at least )?(?:so )?(?:I|they|people) (?:hear|heard|say|am told|gather|was told)|apparently|supposedly|allegedly|from what I (?:hear|heard|gather)|if (?:the gossip|rumou?rs?|what)[^,.;]{0,30}|as far as I (?:know|can tell)|but I (?:could|might|may) be wrong|not sure though|I think)$",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        r", (?:(?:pelo menos )?(?:é|foi) o que (?:dizem|me disseram|me contaram|ouvi|falam)[^,.;]{0,12}|(?:não sei|vai saber|sei lá)(?: se (?:procede|é verdade|é certo))?|dizem(?: por aí)?|parece|ao que parece|pelo que (?:dizem|ouvi|soube|sei|me (?:contaram|disseram|falaram))|segundo (?:dizem|me disseram|as más línguas)|mas posso (?:estar|tá) (?:errad|enganad)[oa]|se não me engano|acho(?: eu)?|diz que)$",
        re.IGNORECASE,
    ),
}


_REPAIR: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"^[^:?]{0,70}?\b(?:correction|correcting|I said|I meant|I misspoke|misspoke|my mistake|my bad|typo|scratch|strike|I got (?:that|it|this) wrong|was wrong|fix something|let me (?:fix|correct)|not [\w' -]+ but)\b[^:?]{0,70}?(?::|, (?=(?:I|he|she|my|we|(?-i:[A-Z])\w+) \w+))\s*(?=\S+ \S+)"
        r"|^(?:it|that) (?:is|was|should be) (?:not|never) [^,.:;]{2,40}[,:] (?=(?:I|he|she|my|we|(?-i:[A-Z])\w+) )",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        r"^[^:?]{0,70}?\b(?:corrigindo|correção|falei errado|falei|escrevi|quis dizer|queria dizer|leiam|leia|o certo é|me enganei|me confundi|troquei as bolas|me embananei|erro meu|errei|risquem|risca|digo|retificando)\b[^:?]{0,80}?:\s*(?=\S+ \S+)"
        r"|^não (?:é|era|foi) [^,.:;]{2,40}[,:] (?:e sim |mas sim )?(?=\S+ \S+)",
        re.IGNORECASE,
    ),
}


def repairs(text: str, language: Language) -> bool:
    """Whether a sentence only announces that something said before was wrong: ``I misspoke earlier with Acme``.

    >>> repairs("I misspoke earlier with Acme", "en"), repairs("I work at Acme", "en")
    (True, False)
    """
    return bool(_WRONG[language].search(text))


_WRONG: dict[Language, re.Pattern[str]] = {
    "en": re.compile(r"^(?:oops|sorry|wait|hang on|correction|no)?,? ?(?:I misspoke\b|I got (?:that|it) wrong|my mistake\b|correction\b|(?:what )?I (?:said|told you) (?:about|earlier)[^.]{0,50}(?:wrong|not true|a joke|nonsense)|let me (?:fix|correct)\b|(?:scrap|ignore|disregard|forget|take back|strike) (?:what|everything|that)\b|I (?:take back|was joking about|made up)\b|(?:please )?(?:forget|erase|delete|wipe|don't keep|do not keep)\b|do me a favour and (?:wipe|delete|erase|forget)\b|I would like you to (?:forget|erase|delete)\b|about [^:]{3,60}: I (?:got carried|made|was|lied))", re.IGNORECASE),
    "pt": re.compile(r"^(?:opa|ih|desculpa|ops|não|gente)?,? ?(?:corrigindo\b|me enganei\b|me embananei\b|troquei as bolas|erro meu\b|falei (?:errado|bobagem|besteira|por engano)|(?:pode |podem )?(?:esquec\w+|ignor\w+|risc\w+|desconsider\w+|apag\w+) (?:o|tudo|isso|aquilo)\b|retiro o que\b|aquilo sobre\b|(?:por favor, )?(?:apaga|apague|esquece|esqueça)\b|não (?:deixa|deixe|guarda|guarde) (?:registrado|anotado|nada)|melhor não guardar|queria que sumisse|faz um favor, (?:tira|apaga))", re.IGNORECASE),
}  # fmt: skip


def plain(text: str, language: Language) -> tuple[str, Level | None]:
    """The statement without what stands around it, and ``weak`` where the speaker has it by hearsay.

    >>> plain("By the way, word is Ana moved to Natal", "en"), plain("Ouvi dizer que Ana namora Caio", "pt")
    (('Ana moved to Natal', 'weak'), ('Ana namora Caio', 'weak'))
    >>> plain("I moved to Natal", "en")
    ('I moved to Natal', None)
    """
    level: Level | None = None
    for _ in range(3):
        before = text
        lead = _LEAD[language].match(text)
        if lead:
            text = text[lead.end() :]
        repaired = _REPAIR[language].match(text)
        if repaired:
            text = text[repaired.end() :]
        heard = _HEARD[language].match(text)
        if heard:
            text, level = text[heard.end() :], "weak"
        told = _TOLD[language].search(text)
        if told and told.start():
            text, level = text[: told.start()], "weak"
        if text == before:
            break
    return interval_last(text, language), level


_FRONT: dict[Language, re.Pattern[str]] = {
    "en": re.compile(r"(?:I used to|not (?:for me|any ?more|my)|still (?:a )?no|it(?:'s|’s| is) (?:over|done|off|history)|(?:yes|yep|yeah),? (?:still )?(?:my|our)|no longer|gone|sold)\b", re.IGNORECASE),
    "pt": re.compile(r"(?:tô fora|to fora|estou fora|não gosto|já gostei|já era|não é (?:mais|pra mim)|nem pensar|acabou|vendi|larguei|sim, (?:meu|minha)|é (?:meu|minha))\b", re.IGNORECASE),
}  # fmt: skip
_ASKS = re.compile(
    r"^(?:who|what|where|when|why|how|which|do|does|did|is|are|was|have|has|can|could|will|would|any|quem|que|o que|onde|quando|como|qual|quais|você|tem|cadê)\b",
    re.IGNORECASE,
)


_TAG: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        r",\s*(?:(?:is|are|was|were|does|do|did|has|have|had|will|would|can)(?:n't|n’t| not)? (?:he|she|it|they|you|we|I)|(?:isn't|doesn't|innit|right|correct|yeah|no|eh))\s*\?*$",
        re.IGNORECASE,
    ),
    "pt": re.compile(r",?\s+(?:né|não é|não foi|não tem|certo|correto|não era|é isso|num é)\s*\?*$", re.IGNORECASE),
}


def untagged(sentence: Sentence, language: Language) -> Sentence:
    """A statement told to be confirmed, as the statement: ``He is four on the 4th, isn't he?``, ``Ela é alérgica, né?``"""
    found = _TAG[language].search(sentence.text) if sentence.question else None
    said = sentence.text[: found.start()] if found else ""
    if len(said.split()) < 3 or _ASKS.match(said) or "?" in said:
        return sentence
    return replace(sentence, text=said, question=False, tagged=True)


_TIME_FIRST: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"^(?:back |even )?(?P<when>when (?:I|we) (?:was|were) [\w' -]{2,28}?),? (?P<what>(?:I|we|my|our) \S[^,;]*?)(?P<end>[.!…]*)$",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        r"^(?P<when>quando (?:eu |a gente |nós )?(?:era|éramos|tinha) [\w -]{2,28}?),? (?P<what>(?:(?:eu|a gente|nós|minha|meu) \S|(?:mor|trabalh|estud|viv)(?:ava|ávamos|ia)\b)[^,;]*?)(?P<end>[.!…]*)$",
        re.IGNORECASE,
    ),
}


def time_last(text: str, language: Language) -> str:
    """The sentence with a time clause that opens it at its end: ``We lived in Oslo when I was a kid``.

    >>> time_last("When I was a kid we lived in Oslo.", "en"), time_last("Quando eu era criança a gente morava em Natal", "pt")
    ('We lived in Oslo when I was a kid.', 'A gente morava em Natal quando eu era criança')
    """
    found = _TIME_FIRST[language].match(text)
    if found is None:
        return text
    what, when = found["what"], found["when"]
    return f"{what[0].upper()}{what[1:]} {when[0].lower()}{when[1:]}{found['end']}"


def fronted(found: Sequence[Sentence], language: Language) -> list[Sentence]:
    """Sentences where a topic asked only to be answered at once is one with its answer: ``Tennis? I used to be a fan.``"""
    out: list[Sentence] = []
    for sentence in found:
        last = out[-1] if out else None
        if (
            last
            and last.question
            and len(last.text.split()) <= 9
            and not _ASKS.match(last.text)
            and not sentence.question
            and _FRONT[language].match(sentence.text)
        ):
            out[-1] = replace(sentence, text=f"{last.text}? {sentence.text}")
        else:
            out.append(sentence)
    return out
