"""First names and their gender, and the short forms people use for them."""

# ruff: noqa: E501  (tables of words and patterns read better on long lines)

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any, Literal, cast

from arandu_lab.pure.text import fold

Gender = Literal["f", "m", "u"]


@cache
def _table() -> dict[str, Gender]:
    table: dict[str, Gender] = {}
    text = (resources.files(__package__) / "first_names.toml").read_text(encoding="utf-8")
    for mark, lines in tomllib.loads(text).items():
        for name in " ".join(lines).split():
            table[name] = cast(Gender, mark)
    return table


def gender(name: str) -> Gender:
    """The gender most bearers of the first name have; ``u`` where unknown or either.

    >>> gender("Ana Souza"), gender("Rafael"), gender("Vertix")
    ('f', 'm', 'u')
    """
    words = fold(name).replace("-", " ").split()
    if not words:
        return "u"
    first = words[1] if len(words) > 1 and words[0].rstrip(".") in _TITLES else words[0]
    if words[0].rstrip(".") in _FEMALE_TITLES:
        return "f"
    if words[0].rstrip(".") in _MALE_TITLES:
        return "m"
    if len(words) == 1 and first in _PARENTS:
        return _PARENTS[first]
    found = _table().get(first)
    if found:
        return found
    if first.endswith(("inha", "zinha")):
        return "f"
    if first.endswith(("inho", "zinho")):
        return "m"
    whole = _HYPOCORISMS.get(first)
    return _table().get(whole[0], "u") if whole else "u"


def is_first_name(word: str) -> bool:
    """Whether the word is a known first name or short form of one.

    >>> is_first_name("Clara"), is_first_name("Zé"), is_first_name("Kafkaesque")
    (True, True, False)
    """
    key = fold(word)
    return key in _table() or key in _HYPOCORISMS


_FEMALE_TITLES = frozenset("mrs ms miss dra sra dona tia madam lady aunt auntie irma vovo mainha".split())
_MALE_TITLES = frozenset("mr dr sr sir seu dom tio padre uncle father painho".split())
_TITLES = _FEMALE_TITLES | _MALE_TITLES | frozenset("prof professor doctor captain".split())

_PARENTS: dict[str, Gender] = {
    **dict.fromkeys(
        "mum mom mama mother mainha mamae mae grandma granny nan vovo sister wife girlfriend daughter".split(), "f"
    ),
    **dict.fromkeys("dad father papa painho papai pai grandpa vovo brother husband boyfriend son".split(), "m"),
}

# short form -> full first names it stands for
_HYPOCORISMS: dict[str, tuple[str, ...]] = {
    line.split(":")[0]: tuple(line.split(":")[1].split(","))
    for line in """
ze:jose zeca:jose zezinho:jose zezé:jose chico:francisco chiquinho:francisco xico:francisco kiko:francisco paco:francisco
beto:roberto,alberto,humberto,gilberto betinho:roberto,alberto,humberto tonho:antonio toninho:antonio tony:antonio,anthony
nando:fernando fe:fernanda,fernando,felipe fefe:fernanda,felipe duda:eduarda,eduardo dudinha:eduarda dudu:eduardo edu:eduardo
malu:maria,maria-luisa,maria-lucia bia:beatriz bea:beatriz,beatrice gui:guilherme guili:guilherme guiga:guilherme
rafa:rafael,rafaela rafinha:rafael,rafaela gabi:gabriela,gabriel biel:gabriel leo:leonardo,leandro,leonard leozinho:leonardo
lipe:felipe,filipe pipo:felipe kaka:carlos,ricardo cacau:claudia,carolina carol:carolina,caroline carolzinha:carolina
ju:juliana,julia,julio juju:juliana,julia lu:luciana,luiza,luisa,lucas,luiz luzinha:luiza luizinho:luiz lula:luiz
mari:mariana,maria,marina marininha:marina mazinha:maria nina:ana,marina,carolina aninha:ana naninha:ana tata:tatiana,tais
tati:tatiana tete:tereza,teresa teca:tereza,teresa tereza:teresa lelê:leticia,helena lele:leticia,helena leti:leticia
lena:helena,madalena cris:cristina,cristiane,cristiano,christina chris:christopher,christian,christina tina:cristina,martina
dani:daniela,daniel dan:daniel danny:daniel pri:priscila priscilinha:priscila paulinho:paulo paulinha:paula
pedrinho:pedro joca:joao,joaquim joaozinho:joao quim:joaquim manu:manuela,manuel,emanuel maneco:manuel mane:manuel,manoel
xande:alexandre alê:alexandre,alessandra ale:alexandre,alessandra xandinho:alexandre sandra:alexandra ricardinho:ricardo
rick:ricardo,richard tuca:arthur,artur tutu:arthur,artur rodrigo:rodrigo digo:rodrigo,diogo guga:gustavo gu:gustavo
vini:vinicius vina:vinicius vi:vitoria,victor,vinicius vivi:viviane,vitoria vitinho:vitor,victor isa:isabela,isabel,isadora
bel:isabel,isabela bela:isabela,isabel cacá:carlos caca:carlos carlinhos:carlos carlao:carlos serginho:sergio
marquinhos:marcos marcao:marcos,marcelo marcelinho:marcelo ronaldinho:ronaldo robinho:robson betania:elizabete bete:elizabete,elizabeth
beth:elizabeth,elizabete liz:elizabeth,eliza lizzie:elizabeth eliza:elizabeth betty:elizabeth libby:elizabeth bob:robert,roberto
bobby:robert rob:robert,roberto bill:william billy:william will:william liam:william jim:james jimmy:james jamie:james
mike:michael mick:michael mickey:michael mikey:michael tom:thomas tommy:thomas theo:theodore,theodoro,teodoro ted:theodore,edward
teddy:theodore,edward ned:edward ed:edward,eduardo eddie:edward,eduardo kate:katherine,catherine katie:katherine,catherine
kathy:katherine,catherine cathy:catherine kat:katherine,katarina meg:margaret,megan maggie:margaret peggy:margaret margie:margaret
sue:susan suzie:susan,suzana jen:jennifer jenny:jennifer jess:jessica jessie:jessica becky:rebecca becca:rebecca abby:abigail
sam:samuel,samantha sammy:samuel,samantha alex:alexander,alexandra,alexandre andy:andrew drew:andrew pete:peter phil:philip,phillip
greg:gregory jeff:jeffrey josh:joshua jake:jacob zach:zachary nate:nathan,nathaniel nick:nicholas,nicolas nicky:nicholas,nicole
matt:matthew dave:david steve:steven,stephen tim:timothy tony:anthony,antonio joe:joseph joey:joseph jack:john johnny:john
hank:henry harry:henry,harold chuck:charles charlie:charles larry:lawrence ken:kenneth ron:ronald don:donald doug:douglas
fred:frederick,frederico fredinho:frederico val:valerie,valeria vicky:victoria,vitoria vicki:victoria tori:victoria pam:pamela
patty:patricia pat:patricia,patrick paty:patricia trish:patricia deb:deborah,debora debbie:deborah debora:deborah mel:melissa,melanie
steph:stephanie mandy:amanda amandinha:amanda cindy:cynthia,lucinda nan:nancy,anne dot:dorothy ellie:eleanor,ellen nell:eleanor
nora:eleanor,honora sally:sarah sadie:sarah tess:theresa,teresa tessa:theresa molly:mary polly:mary wendy:gwendolyn gwen:gwendolyn
ben:benjamin benny:benjamin bert:albert,robert,bertram al:albert,alan,alfred alfie:alfred max:maximilian,maxwell gabe:gabriel
raj:rajesh,rajiv ali:alison,alice nessa:vanessa van:vanessa,ivan nanda:fernanda dinha:claudia,sandra claudinha:claudia
rê:renata,renato re:renata,renato renatinha:renata jão:joao joão:joao tião:sebastiao tiao:sebastiao neto:neto nonato:raimundo
mundinho:raimundo totonho:antonio lulu:luciana,luiza lucinha:lucia cida:aparecida,maria-aparecida cidinha:aparecida socorrinho:socorro
""".split()
    if ":" in line
}  # fmt: skip


@cache
def full_forms(name: str) -> frozenset[str]:
    """The first names (folded) that a short form may stand for, itself left out.

    >>> sorted(full_forms("Beto")), "robert" in full_forms("Bob")
    (['alberto', 'gilberto', 'humberto', 'roberto'], True)
    """
    key = fold(name)
    found = {fold(full).split("-")[0] for full in _HYPOCORISMS.get(key, ())} | _english(key)
    for end in ("zinho", "zinha", "inho", "inha"):
        if key.endswith(end) and len(key) > len(end) + 1:
            stem = key[: -len(end)]
            vowel = "o" if end.endswith("o") else "a"
            found |= {full for full in (stem, stem + vowel, stem + "e", stem + "s") if full in _table()}
            if stem.endswith("qu"):
                found.add(stem[:-2] + "c" + vowel)
    return frozenset(found - {key})


@cache
def _english(key: str) -> set[str]:
    try:
        from nicknames import NickNamer
    except ImportError:
        return set()
    global _namer
    _namer = _namer or NickNamer()
    return {str(full) for full in _namer.canonicals_of(key)}


_namer: Any = None
