"""Families of words that mean nearly the same, within and across English and Portuguese."""

# ruff: noqa: E501  (tables of words and patterns read better on long lines)

from __future__ import annotations

from functools import cache

from arandu_lab.pure.matching import stem
from arandu_lab.pure.text import fold

_FAMILIES = """
color colour cor; food comida prato dish meal refeição; team time equipe; football soccer futebol; car carro automóvel; house home casa lar;
apartment flat apartamento apê; trip travel viagem viajar viaja journey vacation holiday férias; dog puppy cachorro cachorra cadela cão; cat kitten gato gata;
school escola colégio; university college universidade faculdade; book livro novel romance; movie film filme cinema; music música song canção; coffee café;
tea chá; job work trabalho emprego; money dinheiro; city cidade town; country país; street rua; birthday aniversário; party festa; wedding casamento marry married;
mother mom mum mãe; father dad pai; brother irmão; sister irmã; son filho; daughter filha; child kid children filhos criança; wife esposa mulher; husband marido;
girlfriend namorada; boyfriend namorado; friend amigo amiga; boss chefe manager gerente supervisor; doctor médico médica; nurse enfermeira enfermeiro;
teacher professor professora teach ensinar; engineer engenheiro engenheira; language idioma língua; sport esporte; run correr corrida running marathon maratona;
swim nadar natação swimming; play jogar tocar; guitar guitarra violão; cook cozinhar cook chef cozinheiro cozinheira; eat comer; drink beber; meat carne; fish peixe;
beer cerveja; wine vinho; bread pão; fruit fruta; smoke fumar smoking cigarro; allergy alergia alérgico allergic; peanut amendoim; surgery cirurgia operation operação;
knee joelho; hospital clinic clínica; illness doença sick doente; pregnant grávida pregnancy gravidez; baby bebê; age idade old anos; born nascer nasceu birth;
move mudar mudança mudou; live morar mora reside; buy bought comprar comprou purchase; sell sold vender vendeu; own possuir; quit stop parar parou largar;
start begin começar começou; finish end terminar; leave left sair saiu; interview entrevista; meeting reunião; appointment consulta; exam prova exame test;
project projeto; boat barco dory; bike bicycle bicicleta; motorcycle moto; bus ônibus; train trem; plane flight voo avião; phone telefone celular; computer computador laptop;
garden jardim horta; plant planta; climb climbing escalar escalada; paint pintar pintura painting; dance dançar dança; sing cantar; write escrever writing; read ler leitura reading;
study estudar estuda; learn aprender; course curso class aula classes aulas; salary salário; rent aluguel; price preço cost custo; room quarto sala; day dia; week semana; month mês;
year ano; morning manhã; night noite; weekend fim; plan plano planejar; dream sonho; hobby passatempo; pet bicho animal; name nome; meet conhecer; visit visitar visita;
break quebrar quebrou broke; hurt machucar; lose perder; win ganhar; gift presente; game jogo; beach praia; sea mar ocean; mountain montanha; rain chuva; summer verão; winter inverno;
church igreja; religion religião; politics política; company empresa firm firma; restaurant restaurante; store shop loja; bank banco; chocolate chocolate; sugar açúcar; salt sal; milk leite; egg ovo; cheese queijo;
rice arroz; bean feijão; chicken frango; pizza pizza; sushi sushi; vegetarian vegetariano vegetariana; vegan vegano vegana; diet dieta; weight peso; gym academia; yoga ioga; band banda;
instrument instrumento; boyfriend namorado; fiance noivo noiva; divorce divórcio separar separated separou; die died morrer morreu death morte; adopt adotar adotou; hire contratar contratou hired;
fire demitir demitido laid; promote promovido promoted promoção promotion; retire aposentar aposentado retired; graduate formar formou graduated formatura graduation; degree diploma mestrado master doutorado phd;
neighbour neighbor vizinho vizinha; colleague colega coworker; aunt tia; uncle tio; cousin primo prima; grandmother avó grandma; grandfather avô grandpa; favorite favourite favorito favorita preferido preferida
"""


@cache
def _table() -> dict[str, str]:
    table: dict[str, str] = {}
    for line in _FAMILIES.replace("\n", " ").split(";"):
        members = line.split()
        for word in members:
            table.setdefault(stem(fold(word)), f"={members[0]}")
    return table


@cache
def family(word: str) -> str:
    """The family of a folded word, or its stem.

    >>> family("cor") == family("color"), family("cor") == family("team")
    (True, False)
    """
    key = stem(word)
    return _table().get(key, key)
