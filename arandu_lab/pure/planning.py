"""What a question asks for, without a model: greeting, list, overview, and which entities it names.

Rules of this file: everything is decided on folded words (case and accents off), in English and Portuguese; a message
is a greeting only when nothing of it is left after the greetings; the same text always gives the same answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from arandu_lab.pure.text import STOP, fold, normal, words


@dataclass(frozen=True, slots=True)
class Named:
    """A name that stands in a question, folded, and the keys of every entity it may mean."""

    name: str
    keys: tuple[str, ...]


@dataclass(slots=True)
class Directory:
    """The names of entities, made once for many questions. ``whole`` names (shown and in the key) and ``first`` words of
    persons' names lead to keys in order of arrival; ``prefixes`` are the kinds there are.

    >>> book = Directory.of([("person:ana_lima", "Ana Lima"), ("project:vertix", "Vertix")])
    >>> book.whole["vertix"], book.first["ana"], sorted(book.prefixes), book.longest
    (('project:vertix',), ('person:ana_lima',), ['person', 'project'], 2)
    """

    whole: dict[str, tuple[str, ...]] = field(default_factory=dict)
    first: dict[str, tuple[str, ...]] = field(default_factory=dict)
    prefixes: set[str] = field(default_factory=set)
    dense: list[tuple[str, str]] = field(default_factory=list)
    longest: int = 1

    @classmethod
    def of(cls, entities: Iterable[tuple[str, str]]) -> Directory:
        """Of pairs of key and display name."""
        book = cls()
        for key, name in entities:
            book.add(key, name)
        return book

    def add(self, key: str, name: str) -> None:
        """One more entity."""
        forms, opening = _forms(key, name)
        for form in forms:
            self.whole[form] = (*self.whole.get(form, ()), key)
            self.longest = max(self.longest, form.count(" ") + 1)
            if _DENSE.match(form):
                self.dense.append((form, key))
        if opening:
            self.first[opening] = (*self.first.get(opening, ()), key)
        self.prefixes.add(key.partition(":")[0])

    def copy(self) -> Directory:
        """Another one with the same names, to add to."""
        return Directory(dict(self.whole), dict(self.first), set(self.prefixes), list(self.dense), self.longest)


def greeting(text: str) -> bool:
    """Whether the whole message is greeting, thanks or farewell.

    >>> [greeting(text) for text in ("oi, tudo bem?", "Oiii, bom dia 👋", "oi, onde a Ana mora?", "tudo", "")]
    [True, True, False, False, False]
    """
    found = words(text)
    place, greeted = 0, False
    while place < len(found):
        for size in range(min(_LONGEST_GREETING, len(found) - place), 0, -1):
            said = found[place : place + size]
            spelled = {" ".join(said), " ".join(map(_short, said))}
            if spelled & (_GREETINGS | _BESIDES):
                place, greeted = place + size, greeted or bool(spelled & _GREETINGS)
                break
        else:
            return False
    return greeted


def aggregation(text: str, prefixes: Iterable[str]) -> tuple[str, ...]:
    """Patterns like ``person:%`` for a question about a kind of things, for the prefixes that exist; sorted.

    >>> aggregation("Quem são meus amigos?", {"person", "project"}), aggregation("meus projetos", {"person"})
    (('person:%',), ())
    >>> aggregation("Onde mora meu amigo Carlos?", {"person"})
    ()
    """
    known = set(prefixes)
    found = words(text)
    wanted: set[str] = set()
    for place in range(len(found)):
        for lead in _LEADS_BY_WORD.get(found[place], ()):
            if tuple(found[place : place + len(lead)]) == lead:
                after = place + len(lead)
                wanted.update(prefix for noun in found[after : after + 3] for prefix in _KINDS.get(noun, ()))
    if _EVERYBODY.search(" ".join(found)):
        wanted.add("person")
    return tuple(f"{prefix}:%" for prefix in sorted(wanted & known))


def broad(text: str) -> bool:
    """Whether a question asks for an overview of what is known.

    >>> broad("Me conte tudo sobre a Vertix"), broad("tell me everything"), broad("O que aconteceu com a Vertix?")
    (True, True, False)
    """
    return _BROAD.search(normal(text)) is not None


def fits(key: str, patterns: Sequence[str]) -> bool:
    """Whether an entity key fits one of the patterns; ``%`` stands at the end only.

    >>> fits("person:ana", ("person:%",)), fits("project:x", ("person:%",))
    (True, False)
    """
    return any(key.startswith(pattern.removesuffix("%")) for pattern in patterns)


def names(
    text: str,
    aliases: Mapping[str, Sequence[str]],
    entities: Directory | Iterable[tuple[str, str]],
    *,
    min_chars: int = 3,
) -> tuple[Named, ...]:
    """The entities that a text names, in order of place: aliases, display names and slugs, between word boundaries.

    The longest name wins its words ("Marcos Tavares" leaves no "Marcos" behind); a name of several entities gives all
    of them; a first word of a person's name stands for that person where no longer name does. ``entities`` are pairs
    of key and display name, or a directory of them. A name that is also a function word ("Will", "Vai") counts when it
    is written as a name.

    >>> people = [("person:marcos_reis", "Marcos Reis"), ("person:ana_lima", "Ana Lima"), ("person:ana_r", "Ana R")]
    >>> names("Onde o Marcos Reis mora?", {}, people)
    (Named(name='marcos reis', keys=('person:marcos_reis',)),)
    >>> names("A Mariana viu a Ana?", {}, people)
    (Named(name='ana', keys=('person:ana_lima', 'person:ana_r')),)
    """
    written = _WORD.findall(unicodedata.normalize("NFC", text))
    spoken = [fold(word) for word in written]
    book = entities if isinstance(entities, Directory) else Directory.of(entities)
    longest = max(book.longest, _LONGEST_ALIAS)
    taken = [False] * len(spoken)
    found: dict[int, Named] = {}

    def take(start: int, size: int, keys: Iterable[str]) -> None:
        found[start] = Named(" ".join(spoken[start : start + size]), tuple(dict.fromkeys(keys)))
        taken[start : start + size] = [True] * size

    for size in range(min(longest, len(spoken)), 0, -1):
        for start in range(len(spoken) - size + 1):
            name = " ".join(spoken[start : start + size])
            if any(taken[start : start + size]) or not _may_name(written, spoken, start, size, min_chars):
                continue
            keys = [*aliases.get(name, ()), *book.whole.get(name, ())]
            if keys:
                take(start, size, keys)
    for start, word in enumerate(spoken):
        if not taken[start] and word in book.first and _may_name(written, spoken, start, 1, min_chars):
            take(start, 1, book.first[word])
    dense = _dense_names(fold(text), aliases, book.dense) if _DENSE.search(text) else ()
    seen = {named.name for named in found.values()}
    return (*(found[place] for place in sorted(found)), *(named for named in dense if named.name not in seen))


@lru_cache(maxsize=65536)
def _forms(key: str, name: str) -> tuple[tuple[str, ...], str]:
    kind, _, tail = key.partition(":")
    forms = tuple(dict.fromkeys(form for form in (normal(name), normal(tail.replace("_", " "))) if form))
    opening = forms[0].partition(" ")[0] if kind == "person" and forms and " " in forms[0] else ""
    return forms, opening if opening not in STOP else ""


def _may_name(written: list[str], spoken: list[str], start: int, size: int, min_chars: int) -> bool:
    """Long enough, and not a mere function word unless it is written like a name inside a sentence."""
    if sum(map(len, spoken[start : start + size])) + size - 1 < min_chars:
        return False
    if any(word not in STOP for word in spoken[start : start + size]):
        return True
    capital = all(word[:1].isupper() for word in written[start : start + size])
    return capital and (start > 0 or len(written) == size) and not all(word.isupper() for word in written)


def _dense_names(
    folded: str, aliases: Mapping[str, Sequence[str]], entities: list[tuple[str, str]]
) -> tuple[Named, ...]:
    """Names in scripts without blanks between words, wherever they stand but inside a longer name."""
    known: dict[str, list[str]] = {}
    spelled = [(form, [key]) for form, key in entities]
    for name, keys in [*aliases.items(), *spelled]:
        if _DENSE.fullmatch(name[:1]) and name in folded:
            known[name] = [*known.get(name, []), *keys]
    stretches: list[tuple[int, int]] = []
    found: list[tuple[int, str]] = []
    for name in sorted(known, key=lambda name: (-len(name), name)):
        places = [(place.start(), place.end()) for place in re.finditer(re.escape(name), folded)]
        free = [a for a, b in places if not any(first <= a and b <= last for first, last in stretches)]
        if free:
            found.append((free[0], name))
        stretches += places
    return tuple(Named(name, tuple(dict.fromkeys(known[name]))) for _, name in sorted(found))


def _short(word: str) -> str:
    """Drawn-out letters drawn in: ``oiii`` is ``oi``."""
    return _DRAWN.sub(r"\1", word)


_LONGEST_ALIAS = 6
_WORD = re.compile(r"\w+", re.UNICODE)
_DENSE = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_DRAWN = re.compile(r"([^\W\d_])\1+")


def _phrases(table: str) -> frozenset[str]:
    return frozenset(phrase.strip() for phrase in table.replace("\n", ";").split(";") if phrase.strip())


_GREETINGS = _phrases("""
hi; hello; helo; hey; hiya; howdy; yo; sup; hi there; hello there; hey there; greetings; good morning; good afternoon
good evening; good night; good day; how are you; how are you doing; how are you today; how are things; hows it going
how is it going; how s it going; how do you do; how have you been; what s up; whats up; wassup; nice to meet you
pleased to meet you; long time no see; are you there; you there; thanks; thank you; thank you so much; thx; ty
thank you very much; many thanks; thanks a lot; cheers; you re welcome; ok; okay; got it; sounds good; all right
alright; bye; bye bye; goodbye; see you; see you later; see you soon; see you tomorrow; take care; have a nice day
have a good day; lol; haha
oi; oie; ola; alo; opa; ei; hei; e ai; eai; eae; iai; fala; fala ai; fala tu; salve; saudacoes; bom dia; boa tarde
boa noite; tudo bem; td bem; tudo bom; td bom; tudo bem ai; tudo certo; tudo joia; tudo tranquilo; tudo beleza
tudo ok; tudo em ordem; tudo bem com voce; tudo bem contigo; tudo bem com vc; tudo bom com voce; beleza; blz
tranquilo; suave; de boa; como vai; como vai voce; como voce vai; como vao as coisas; como voce esta; como vc esta
como vc ta; como voce ta; como ce ta; como esta; como esta voce; como estas; como tem passado; como andam as coisas
muito prazer; prazer em conhecer; prazer em te conhecer; ta ai; voce esta ai; vc ta ai; quanto tempo; obrigado
obrigada; muito obrigado; muito obrigada; brigado; brigada; obrigadao; valeu; vlw; de nada; por nada; tchau; tchauzinho
ate logo; ate mais; ate breve; ate amanha; falou; flw; abracos; um abraco; beijos; bjs; boa semana; bom fim de semana
tenha um bom dia; durma bem; kk; rs; ha
""")
_BESIDES = _phrases("""
everyone; everybody; all; guys; folks; friend; my friend; again; and you; i m fine; i am fine; fine; cool; great; nice
morning; later; k; dia; tarde; noite; e voce; e vc; e contigo; e com voce; e tu; tudo; prazer; estou bem; to bem; grato
grata; entendi; legal; show; massa; otimo; perfeito; certo; abraco; beijo; pessoal; gente; galera; amigo; amiga; ate
meu amigo; minha amiga; querido; querida; mano; cara; turma; a todos; para todos; todos
""")
"""What may stand beside a greeting and is none by itself."""
_LONGEST_GREETING = max(phrase.count(" ") + 1 for phrase in _GREETINGS | _BESIDES)

_LEADS = frozenset(
    tuple(lead.split())
    for lead in _phrases("""
quem sao; quem eram; quem foram; who are; who were; quais; quais sao; what are; which; list; liste; lista de; list of
mostre; show; todos; todas; all; every; quantos; quantas; how many; meus; minhas; nossos; nossas; minha; nossa; my; our
""")
)
_LEADS_BY_WORD = {word: tuple(lead for lead in _LEADS if lead[0] == word) for word, *_ in _LEADS}
_EVERYBODY = re.compile(
    r"\b(?:quem (?:eu|a gente|nos) (?:conheco|conhece|conhecemos)|who (?:do|did) (?:i|we) know"
    r"|(?:everyone|everybody) (?:i|we) know|todo mundo que (?:eu|a gente)|todas as pessoas|all (?:the )?people)\b"
)
_BROAD = re.compile(
    r"\b(?:tell me (?:everything|all)|(?:every ?thing|all) (?:that )?(?:you|we) (?:know|remember)|everything about"
    r"|all about|what (?:all )?do (?:you|we) (?:know|remember) about|summari[sz]e|summary of|overview of"
    r"|give me an overview|cont[ae](?: me| pra mim)? tudo|me cont[ae] tudo|tudo (?:sobre|a respeito)"
    r"|tudo que (?:voce |vc |ce |tu )?(?:sab|lembra)\w*|o que (?:voce|vc|ce|tu|se) sabes? (?:sobre|d[aeo]s?)"
    r"|fal[ae](?: me)? tudo|me fal[ae] tudo|fale(?: me)? sobre|me fale sobre|resum[aeo](?: de)?|visao geral"
    r"|panorama)\b"
)


def _kinds(table: str) -> dict[str, tuple[str, ...]]:
    """Lines ``prefix prefix: noun noun`` -> noun -> prefixes."""
    found: dict[str, tuple[str, ...]] = {}
    for line in table.strip().splitlines():
        prefixes, _, nouns = line.partition(":")
        for noun in nouns.split():
            found[noun] = (*found.get(noun, ()), *prefixes.split())
    return found


_KINDS = _kinds("""
person: amigos amigas friends colegas colleagues coworkers teammates familia family familiares parentes relatives irmaos
person: irmas siblings brothers sisters filhos filhas children kids sons daughters pais parents avos grandparents primos
person: primas cousins tios tias uncles aunts sobrinhos sobrinhas vizinhos vizinhas neighbours neighbors pessoas people
person: contatos contacts conhecidos acquaintances alunos students professores teachers chefes bosses socios partners
person: clientes clients customers medicos doctors equipe team namoradas girlfriends funcionarios employees
organization company: empresas companies organizacoes organizations organisations clientes clients customers employers
organization company school: escolas schools universidades universities faculdades colleges times teams bancos banks
project: projetos projects
product: produtos products aparelhos devices
place city location country: lugares places cidades cities paises countries viagens trips restaurantes restaurants
pet animal: pets animais animals gatos cats cachorros caes dogs bichos
event: eventos events compromissos appointments reunioes meetings festas parties
technology tool: tecnologias technologies ferramentas tools linguagens languages
hobby activity: hobbies passatempos atividades activities esportes sports
book: livros books
movie: filmes movies films
""")
