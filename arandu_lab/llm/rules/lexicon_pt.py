"""Portuguese words the rules know: verbs and their forms, kinship, words that are no names. Tables only."""

# ruff: noqa: E501  (tables of words and patterns read better on long lines)

from __future__ import annotations

from functools import cache

_AR = """
candidatar batizar inventar orientar roncar autografar reprovar inchar ensaiar ligar morar trabalhar gostar adorar amar odiar detestar estudar comprar mudar viajar casar ficar precisar começar parar terminar acabar tentar
usar jogar tocar cozinhar visitar adotar alugar entrar contratar aposentar treinar pintar dançar caminhar acampar pescar cuidar costurar
plantar olhar escutar participar comemorar celebrar convidar chamar ligar mandar enviar perguntar ajudar apoiar marcar reservar cancelar
desmarcar remarcar trocar mudar consertar reformar decorar limpar lavar assar grelhar evitar faltar passar aceitar recusar decidir
concordar prometer planejar pretender considerar lembrar recomendar explicar lançar criar publicar gravar apresentar administrar
gerenciar coordenar treinar relatar namorar noivar separar divorciar engravidar machucar operar curar tratar fumar
tomar levantar acordar deitar meditar rezar acreditar votar doar economizar investir emprestar ganhar gastar custar pesar falar
ensinar programar testar pegar largar deixar levar carregar encontrar achar pensar imaginar esperar sonhar desejar
contar comentar avisar mencionar confirmar negar admitir jurar reclamar brigar chorar cantar nadar surfar pedalar patinar escalar
remar velejar fotografar filmar desenhar bordar cultivar regar criar resgatar montar desmontar inscrever matricular formar graduar
especializar focar concentrar dedicar voltar retornar chegar embarcar desembarcar pousar viajar voar dirigir estacionar
pagar cobrar parcelar financiar quitar demitir desligar promover transferir assinar negociar fechar abrir empreender
fundar tocar ensaiar atuar estrear participar completar virar tornar revisar atualizar instalar configurar documentar
entregar atrasar adiantar adiar bloquear analisar avaliar medir pesquisar investigar coletar apontar registrar anotar
torcer acompanhar assinar seguir postar ouvir almoçar jantar lanchar provar experimentar cortar
apaixonar mostrar olhar parecer aguentar suportar preferir topar combinar aproveitar descansar brincar lutar
quebrar roubar perder sumir parar andar correr malhar aumentar diminuir melhorar piorar internar
vacinar infectar pegar recuperar tropeçar rasgar frequentar habitar residir hospedar lecionar atender consultar
""".split()
_AR = [verb for verb in dict.fromkeys(_AR) if verb.endswith("ar")]
_ER = """
comer beber viver correr escrever conhecer nascer crescer morrer vender comprometer responder receber perceber aprender entender
compreender esquecer acontecer parecer desaparecer aparecer merecer oferecer escolher colher recolher mexer bater sofrer doer resolver
devolver envolver desenvolver prender atender defender depender pretender torcer descer ceder conceder proceder adoecer amadurecer
conceber dever temer vencer perder valer prometer cometer meter remeter submeter surpreender estabelecer
""".split()
_IR = """
assistir partir abrir dividir decidir discutir existir desistir insistir resistir permitir admitir demitir transmitir emitir cumprir
assumir resumir consumir sumir dirigir exigir reagir agir fugir subir descobrir cobrir dormir sentir mentir preferir referir sugerir
servir vestir seguir conseguir perseguir pedir medir despedir ouvir sair cair trair construir destruir contribuir distribuir
possuir incluir concluir excluir influir atribuir substituir reunir unir imprimir inserir ferir divertir investir advertir residir
repetir competir refletir curtir garantir atingir fingir corrigir evoluir rir sorrir usufruir expandir
""".split()

# infinitive: (1s, 3s, 1p, 3p present | 1s, 3s, 1p, 3p preterite | 1s=3s, 1p, 3p imperfect | future stem)
_IRREGULAR = {
    "ser": ("sou é somos são", "fui foi fomos foram", "era éramos eram", "ser"),
    "estar": ("estou está estamos estão", "estive esteve estivemos estiveram", "estava estávamos estavam", "estar"),
    "ter": ("tenho tem temos têm", "tive teve tivemos tiveram", "tinha tínhamos tinham", "ter"),
    "ir": ("vou vai vamos vão", "fui foi fomos foram", "ia íamos iam", "ir"),
    "vir": ("venho vem vimos vêm", "vim veio viemos vieram", "vinha vínhamos vinham", "vir"),
    "fazer": ("faço faz fazemos fazem", "fiz fez fizemos fizeram", "fazia fazíamos faziam", "far"),
    "dizer": ("digo diz dizemos dizem", "disse disse dissemos disseram", "dizia dizíamos diziam", "dir"),
    "trazer": ("trago traz trazemos trazem", "trouxe trouxe trouxemos trouxeram", "trazia trazíamos traziam", "trar"),
    "poder": ("posso pode podemos podem", "pude pôde pudemos puderam", "podia podíamos podiam", "poder"),
    "querer": ("quero quer queremos querem", "quis quis quisemos quiseram", "queria queríamos queriam", "querer"),
    "saber": ("sei sabe sabemos sabem", "soube soube soubemos souberam", "sabia sabíamos sabiam", "saber"),
    "ver": ("vejo vê vemos veem", "vi viu vimos viram", "via víamos viam", "ver"),
    "ler": ("leio lê lemos leem", "li leu lemos leram", "lia líamos liam", "ler"),
    "crer": ("creio crê cremos creem", "cri creu cremos creram", "cria críamos criam", "crer"),
    "dar": ("dou dá damos dão", "dei deu demos deram", "dava dávamos davam", "dar"),
    "pôr": ("ponho põe pomos põem", "pus pôs pusemos puseram", "punha púnhamos punham", "por"),
    "haver": ("hei há havemos hão", "houve houve houvemos houveram", "havia havíamos haviam", "haver"),
    "perder": ("perco perde perdemos perdem", "perdi perdeu perdemos perderam", "perdia perdíamos perdiam", "perder"),
    "valer": ("valho vale valemos valem", "vali valeu valemos valeram", "valia valíamos valiam", "valer"),
    "ouvir": ("ouço ouve ouvimos ouvem", "ouvi ouviu ouvimos ouviram", "ouvia ouvíamos ouviam", "ouvir"),
    "pedir": ("peço pede pedimos pedem", "pedi pediu pedimos pediram", "pedia pedíamos pediam", "pedir"),
    "medir": ("meço mede medimos medem", "medi mediu medimos mediram", "media medíamos mediam", "medir"),
    "dormir": ("durmo dorme dormimos dormem", "dormi dormiu dormimos dormiram", "dormia dormíamos dormiam", "dormir"),
    "sair": ("saio sai saímos saem", "saí saiu saímos saíram", "saía saíamos saíam", "sair"),
    "cair": ("caio cai caímos caem", "caí caiu caímos caíram", "caía caíamos caíam", "cair"),
    "subir": ("subo sobe subimos sobem", "subi subiu subimos subiram", "subia subíamos subiam", "subir"),
    "sumir": ("sumo some sumimos somem", "sumi sumiu sumimos sumiram", "sumia sumíamos sumiam", "sumir"),
    "fugir": ("fujo foge fugimos fogem", "fugi fugiu fugimos fugiram", "fugia fugíamos fugiam", "fugir"),
    "rir": ("rio ri rimos riem", "ri riu rimos riram", "ria ríamos riam", "rir"),
    "inscrever": ("inscrevo inscreve inscrevemos inscrevem", "inscrevi inscreveu inscrevemos inscreveram", "inscrevia inscrevíamos inscreviam", "inscrever"),
    "refazer": ("refaço refaz refazemos refazem", "refiz refez refizemos refizeram", "refazia refazíamos refaziam", "refar"),
    "passear": ("passeio passeia passeamos passeiam", "passeei passeou passeamos passearam", "passeava passeávamos passeavam", "passear"),
    "odiar": ("odeio odeia odiamos odeiam", "odiei odiou odiamos odiaram", "odiava odiávamos odiavam", "odiar"),
    "construir": ("construo constrói construímos constroem", "construí construiu construímos construíram",
                  "construía construíamos construíam", "construir"),
    "possuir": ("possuo possui possuímos possuem", "possuí possuiu possuímos possuíram", "possuía possuíamos possuíam", "possuir"),
}  # fmt: skip
_E_TO_I = frozenset(
    "sentir mentir preferir referir sugerir servir vestir seguir conseguir perseguir inserir ferir divertir investir "
    "advertir repetir competir refletir despedir".split()
)

THINK = frozenset("achar acreditar imaginar supor suspeitar crer pensar duvidar desconfiar chutar ouvir".split())
WISH = frozenset("esperar desejar tomara".split())
SAY = frozenset(
    "dizer falar contar comentar avisar mencionar confirmar explicar jurar admitir lembrar saber descobrir perceber "
    "anunciar prometer relatar".split()
)

KIN = {
    "esposa": "spouse", "marido": "spouse", "mulher": "spouse", "esposo": "spouse", "conjuge": "spouse",
    "namorada": "partner", "namorado": "partner", "noiva": "partner", "noivo": "partner", "companheira": "partner",
    "companheiro": "partner", "parceira": "partner", "parceiro": "partner",
    "ex": "ex_partner", "ex-mulher": "ex_partner", "ex-marido": "ex_partner", "ex-namorada": "ex_partner", "ex-namorado": "ex_partner",
    "ex-esposa": "ex_partner",
    "filho": "child", "filha": "child", "enteado": "child", "enteada": "child", "bebe": "child", "menina": "child", "menino": "child", "cacula": "child", "primogenito": "child",
    "mae": "parent", "pai": "parent", "madrasta": "parent", "padrasto": "parent", "mamae": "parent", "papai": "parent", "mainha": "parent",
    "painho": "parent", "coroa": "parent",
    "irmao": "sibling", "irma": "sibling", "gemeo": "sibling", "gemea": "sibling", "mano": "sibling", "mana": "sibling",
    "amigo": "friend", "amiga": "friend", "vizinho": "friend", "vizinha": "friend", "parca": "friend", "colega-de-quarto": "friend",
    "tio": "relative", "tia": "relative", "primo": "relative", "prima": "relative", "sobrinho": "relative", "sobrinha": "relative",
    "avo": "relative", "neto": "relative", "neta": "relative", "sogro": "relative", "sogra": "relative",
    "cunhado": "relative", "cunhada": "relative", "genro": "relative", "nora": "relative", "padrinho": "relative", "madrinha": "relative",
    "afilhado": "relative", "afilhada": "relative", "vovo": "relative",
    "chefe": "boss", "chefa": "boss", "gerente": "boss", "supervisor": "boss", "supervisora": "boss", "orientador": "boss",
    "orientadora": "boss", "patrao": "boss", "patroa": "boss", "gestor": "boss", "gestora": "boss",
    "colega": "colleague", "socio": "colleague", "socia": "colleague", "estagiario": "colleague", "estagiaria": "colleague",
}  # fmt: skip
KIN_PLURAL = {word + "s": slot for word, slot in KIN.items()} | {
    "irmaos": "sibling",
    "irmas": "sibling",
    "pais": "parent",
    "maes": "parent",
}
FEMALE = frozenset(
    "esposa mulher namorada noiva companheira parceira ex-mulher ex-namorada ex-esposa filha enteada mae madrasta mamae "
    "mainha irma gemea mana amiga vizinha tia prima sobrinha neta sogra cunhada nora madrinha afilhada chefa supervisora "
    "orientadora patroa gestora socia estagiaria moca menina garota senhora gata cadela cachorra".split()
)
MALE = frozenset(
    "marido esposo namorado noivo companheiro parceiro ex-marido ex-namorado filho enteado pai padrasto papai painho irmao "
    "gemeo mano amigo vizinho tio primo sobrinho neto sogro cunhado genro padrinho afilhado supervisor orientador patrao "
    "gestor socio estagiario moco menino garoto senhor gato cachorro".split()
)
PETS = frozenset(
    "cachorro cachorra cadela cao gato gata gatinho gatinha cachorrinho cachorrinha papagaio calopsita periquito peixe hamster "
    "coelho coelha tartaruga jabuti cavalo egua passarinho canario vira-lata filhote pet bichinho porquinho-da-india "
    "labrador poodle pinscher dachshund salsicha buldogue pug iguana galinha cabra".split()
)
TITLES = frozenset(
    "sr sra dr dra seu dona dom prof professor professora doutor doutora tio tia padre pastor frei irma mestre capitao".split()
)
ROLES = frozenset(
    """enfermeira enfermeiro medica medico professora professor engenheira engenheiro desenvolvedora desenvolvedor programadora
programador designer advogada advogado cozinheira cozinheiro chef padeiro padeira barista garcom garconete gerente diretora diretor analista
contadora contador arquiteta arquiteto artista musico musicista cantora cantor guitarrista baterista escritora escritor jornalista editora
editor fotografa fotografo eletricista encanador marceneiro marceneira mecanico mecanica motorista piloto bombeiro bombeira policial
soldado cientista pesquisadora pesquisador estudante estagiaria estagiario bibliotecaria bibliotecario farmaceutica farmaceutico dentista
terapeuta psicologa psicologo psiquiatra veterinaria veterinario cirurgia cirurgiao biologa biologo quimica quimico fisica fisico economista
consultora consultor vendedora vendedor caixa secretaria secretario recepcionista agricultora agricultor jardineira jardineiro pescador
marinheiro capitao treinadora treinador tradutora tradutor atriz ator bailarina bailarino pintora pintor escultora escultor alfaiate
cabeleireira cabeleireiro barbeiro acougueiro bancario bancaria corretora corretor empresaria empresario fundadora fundador ceo cto cfo
autonoma autonomo freelancer costureira costureiro coordenadora coordenador supervisora supervisor administradora administrador baba
assistente social pastor padre vereadora vereador deputada deputado guarda tecnica tecnico operador operadora pedreiro pedreira
ilustradora ilustrador produtora produtor compositora compositor geologa geologo historiadora historiador nutricionista agronomo agronoma cenografo cenografa ceramista dramaturgo dramaturga fisioterapeuta
fonoaudiologa fonoaudiologo doula parteira aposentada aposentado chefe head lider socia socio voluntaria voluntario residente
doutoranda doutorando mestranda mestrando diarista porteiro porteira carteiro motoboy entregador luthier apicultora apicultor
confeiteira confeiteiro taxista juiza juiz promotora promotor delegada delegado servidora servidor estatistica estatistico""".split()
)
EVENTS = frozenset(
    """entrevista cirurgia operacao consulta prova exame festa casamento enterro velorio voo viagem reuniao aniversario prazo show
jogo corrida maratona exposicao abertura cerimonia formatura conferencia defesa apresentacao aula batizado festival ferias lancamento
mudanca estreia audicao recital torneio final gravacao audiencia jantar almoco churrasco encontro parto ultrassom cha banca lua-de-mel
vestibular congresso""".split()
)
OWNED = frozenset(
    """apartamento ape casa quarto carro moto bicicleta bike caminhao barco violao guitarra piano notebook celular computador
emprego salario aluguel hipoteca escritorio mesa estudio loja empresa startup time turma escola curso tese dissertacao livro romance
blog podcast canal banda jardim horta sitio chacara turno agenda contrato visto passaporte dieta alergia joelho tornozelo costas perna
braco ombro pulso pe quadril dente dentes coracao sangue pressao olhos ouvido pele cabelo tireoide colesterol cidade sonho meta
faculdade diploma mestrado doutorado gravidez""".split()
)

PRONOUNS_3 = frozenset("ele ela eles elas".split())
NOT_NAMES = frozenset(
    """segunda terca quarta quinta sexta sabado domingo segunda-feira terca-feira quarta-feira quinta-feira sexta-feira janeiro
fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro natal pascoa carnaval reveillon ano eu ok tv pc ia rh
cpf rg cnpj url api usb gps deus ingles frances espanhol italiano portugues alemao japones chines coreano russo arabe brasileiro
brasileira argentino argentina-o catolica catolico crista cristao judeu muculmana covid internet secao capitulo doutorado mestrado
whatsapp zap enem sus inss ltda""".split()
)
COMMON = frozenset(
    """
a ao aos as agora ah ai ainda alem algo alguem algum alguma ali alias amanha amei amo antes aqui assim ate aula bem boa bom bora caramba cara
cade caraca certo claro coitado com como conforme confirmado credo cuidado da dai daqui das de demorou depois desculpa desde deve do dois dos
dia dias durante e eita ela ele elas eles em embora enfim enquanto entao entre era essa esse esta estas este estes eu exato faz feliz fiz foi
foram fora fui gente gracas ha hoje hum ih isso ja jamais kkk kkkk la legal lindo linda logo longe mais mal mas maravilha me menos mesmo meu meus
minha minhas muita muito muitas muitos na nada nao nas nem nenhum ninguem no nos nossa nosso noite novo nova nunca o oba obrigada obrigado oi
ola onde ontem opa os ou ou outra outro oxe oxente para parabens parece pela pelo pena per pois por porque pra primeiro primeira puxa
qual qualquer quando quanto quase quatro que quem quero rapaz sabe sao saudade saudades se seguinte segundo sei sem sempre ser
sera seu sim so sobre sou sua tal talvez tambem tanto tarde te tem tenho teu tinha toda todas todo todos tomara tres tu tudo um uma
umas uns uau valeu vai vamos vem ver verdade vez vish viu voce voces vou xi beleza blz tchau falou fechou top show seis sete oito nove dez
cinco doze quinze vinte trinta cem mil comprei adotei achei acho acabei consegui apesar inclusive finalmente infelizmente felizmente
geralmente normalmente atualmente ultimamente recentemente provavelmente sinceramente honestamente tipo pronto alo hein ne poxa
parou passei casa mes semana semanas meses anos fato financiamento projeto trabalho revisao equipe noticia boas mae pai
""".split()
)
ONE = frozenset("eu".split())


@cache
def forms() -> dict[str, tuple[tuple[str, str], ...]]:
    """Every known form -> its readings (infinitive, tag): tags ``pres.1s``, ``pret.3p``, ``impf.1s`` (also 3s), ``fut.1s``, ``inf``…

    >>> forms()["moro"], forms()["comprei"]
    ((('morar', 'pres.1s'),), (('comprar', 'pret.1s'),))
    """
    table: dict[str, list[tuple[str, str]]] = {}

    def add(form: str, verb: str, tag: str) -> None:
        readings = table.setdefault(form, [])
        if (verb, tag) not in readings:
            readings.append((verb, tag))

    for verb in dict.fromkeys([*_IRREGULAR, *_AR, *_ER, *_IR]):
        for tag, form in conjugation(verb).items():
            add(form, verb, tag)
    for form, verb, tag in _SHORT:
        add(form, verb, tag)
    return {form: tuple(readings) for form, readings in table.items()}


_SHORT = (("tô", "estar", "pres.1s"), ("to", "estar", "pres.1s"), ("tou", "estar", "pres.1s"), ("tá", "estar", "pres.3s"),
          ("tava", "estar", "impf.1s"), ("tavam", "estar", "impf.3p"), ("tamos", "estar", "pres.1p"), ("tão", "estar", "pres.3p"),
          ("tive", "ter", "pret.1s"), ("esta", "estar", "pres.3s"), ("nao", "", ""))[:10]  # fmt: skip
_TAGS = {"pres": ("1s", "3s", "1p", "3p"), "pret": ("1s", "3s", "1p", "3p"), "impf": ("1s", "1p", "3p")}


@cache
def conjugation(verb: str) -> dict[str, str]:
    """Tag -> form. ``impf.1s`` and ``cond.1s`` serve the third person too.

    >>> conjugation("morar")["pret.3s"], conjugation("sentir")["pres.1s"], conjugation("ter")["fut.3s"]
    ('morou', 'sinto', 'terá')
    """
    out: dict[str, str] = {}
    if verb in _IRREGULAR:
        *rows, future = _IRREGULAR[verb]
        for (tense, persons), row in zip(_TAGS.items(), rows, strict=True):
            out.update({f"{tense}.{person}": form for person, form in zip(persons, row.split(), strict=True)})
    else:
        out, future = _regular(verb), verb
    for person, end in {"1s": "ei", "3s": "á", "1p": "emos", "3p": "ão"}.items():
        out[f"fut.{person}"] = future + end
    for person, end in {"1s": "ia", "1p": "íamos", "3p": "iam"}.items():
        out[f"cond.{person}"] = future + end
    stem = verb[:-2] if verb != "pôr" else "po"
    out["inf"] = verb
    out["ger"] = {"pôr": "pondo"}.get(verb, verb[:-1] + "ndo")
    out["part"] = _PARTICIPLES.get(verb) or stem + ("ado" if verb.endswith("ar") else "ido")
    return out


_PARTICIPLES = {"fazer": "feito", "dizer": "dito", "ver": "visto", "escrever": "escrito", "abrir": "aberto", "vir": "vindo", "pôr": "posto",
                "cobrir": "coberto", "descobrir": "descoberto", "sair": "saído", "cair": "caído", "construir": "construído",
                "inscrever": "inscrito"}  # fmt: skip


def _regular(verb: str) -> dict[str, str]:
    stem, kind = verb[:-2], verb[-2:]
    if kind == "ar":
        soft = {"c": "qu", "g": "gu", "ç": "c"}.get(stem[-1:])
        first = (stem[:-1] + soft if soft else stem) + "ei"
        ends = ("o", "a", "amos", "am"), ("", "ou", "amos", "aram"), ("ava", "ávamos", "avam")
    else:
        first = stem + "i"
        vowel = "e" if kind == "er" else "i"
        last = "eu" if kind == "er" else "iu"
        ends = ("o", "e", vowel + "mos", "em"), ("", last, vowel + "mos", vowel + "ram"), ("ia", "íamos", "iam")
    out = {f"{tense}.{person}": stem + end
           for (tense, persons), row in zip(_TAGS.items(), ends, strict=True)
           for person, end in zip(persons, row, strict=True)}  # fmt: skip
    out["pret.1s"] = first
    hard = stem
    if kind != "ar":
        hard = {"c": stem[:-1] + "ç", "g": stem[:-1] + "j"}.get(stem[-1:], stem)
        if stem.endswith("gu"):
            hard = stem[:-1]
        if verb in _E_TO_I:
            cut = hard.rfind("e")
            hard = hard[:cut] + "i" + hard[cut + 1 :]
    out["pres.1s"] = hard + "o"
    return out


@cache
def lemma(word: str) -> str:
    """The infinitive of a verb form, else the word itself."""
    readings = forms().get(word)
    return readings[0][0] if readings else word
