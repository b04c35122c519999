"""Words that tell what a name names: places of the world, and the nouns inside names of organizations and places. Tables only."""

# ruff: noqa: E501  (tables of words and patterns read better on long lines)

from __future__ import annotations

from arandu_lab.pure.text import fold

_PLACES = """
afghanistan,africa,alabama,alaska,alemanha,algarve,amazonas,amazonia,america,amsterdam,angola,aracaju,argentina,arizona,arkansas,asia,
athens,atlanta,auckland,austin,australia,austria,avignon,bahia,bali,baltimore,bangalore,bangkok,barcelona,bavaria,beijing,beirut,belem,
belgium,belo horizonte,berlin,berlim,bh,birmingham,blumenau,bogota,bolivia,bologna,bombay,bordeaux,boston,brasil,brasilia,brazil,brighton,
brisbane,bristol,british columbia,brooklyn,brussels,bucharest,budapest,buenos aires,cairo,calgary,california,cambridge,campina grande,
campinas,canada,cape town,caracas,cardiff,caruaru,catalonia,ceara,chapel hill,charlotte,chicago,chile,china,cincinnati,cleveland,cologne,
colombia,colorado,connecticut,copenhagen,cork,costa rica,croatia,cuba,cuiaba,curitiba,cusco,dallas,dakar,delaware,delhi,denmark,denver,detroit,
df,dubai,dublin,edinburgh,egypt,england,espanha,espirito santo,estados unidos,estocolmo,ethiopia,eua,europe,europa,feira de santana,
fernando de noronha,finland,florence,florianopolis,floripa,florida,fortaleza,foz do iguacu,france,franca,frankfurt,fredericton,garanhuns,geneva,
genova,georgia,germany,ghana,glasgow,goa,goiania,goias,gothenburg,gramado,greece,guadalajara,guarulhos,halifax,hamburg,hanoi,harlem,
havana,hawaii,helsinki,holanda,hong kong,houston,hungary,iceland,idaho,ilheus,illinois,india,indiana,indonesia,inglaterra,iowa,iran,iraq,
ireland,irlanda,israel,istanbul,italia,italy,itamaraca,jaboatao,jamaica,japan,japao,jakarta,jericoacoara,jerusalem,joao pessoa,joinville,
juazeiro,juazeiro do norte,kansas,kentucky,kenya,kiev,kyiv,kyoto,lagos,las vegas,leeds,lima,lisbon,lisboa,liverpool,london,londres,londrina,
los angeles,louisiana,luanda,lyon,maceio,madrid,madri,maine,malaysia,manaus,manchester,manhattan,manitoba,maputo,maranhao,marseille,
maryland,massachusetts,mato grosso,medellin,melbourne,memphis,mexico,mexico city,miami,michigan,milan,milao,milwaukee,minas,minas gerais,
minneapolis,minnesota,mississippi,missouri,mocambique,montana,montevideo,montreal,moscow,moscou,mumbai,munich,munique,nairobi,naples,
nashville,natal,nebraska,nepal,netherlands,nevada,new delhi,new england,new hampshire,new jersey,new mexico,new orleans,new york,nyc,
new zealand,nigeria,niteroi,north carolina,norway,nova iorque,nova york,nova scotia,oakland,ohio,oklahoma,olinda,ontario,oporto,oregon,
orlando,osaka,oslo,ottawa,ouro preto,oxford,pakistan,panama,para,paraguay,paraguai,paraiba,parana,paris,paraty,patagonia,paulista,
pelotas,pennsylvania,pernambuco,peru,petrolina,petropolis,philadelphia,philippines,phoenix,piaui,pittsburgh,poa,poland,polonia,porto,
porto alegre,porto de galinhas,porto seguro,porto velho,portland,portugal,prague,praga,provence,quebec,queens,quito,recife,rhode island,
ribeirao preto,rio,rio branco,rio de janeiro,rio grande do norte,rio grande do sul,rj,roma,romania,rome,roraima,russia,salt lake city,
salvador,san antonio,san diego,san francisco,san jose,santa catarina,santarem,santiago,santos,sao luis,sao paulo,saskatchewan,scotland,
seattle,seoul,sergipe,seville,sevilha,shanghai,sicily,singapore,sobral,south africa,south carolina,south korea,sp,spain,stockholm,
suecia,suica,sweden,switzerland,sydney,taipei,taiwan,tampa,tel aviv,tennessee,teresina,texas,thailand,the hague,tibet,tokyo,toquio,
toronto,toulouse,tunisia,turin,turkey,turquia,uberlandia,uk,ukraine,united kingdom,united states,uruguay,uruguai,us,usa,utah,valencia,
vancouver,venezuela,venice,veneza,vermont,vienna,viena,vietnam,virginia,vitoria,wales,warsaw,washington,wellington,winnipeg,wisconsin,
wyoming,yorkshire,zurich,zurique
"""
PLACES = frozenset(place.strip() for place in _PLACES.replace("\n", "").split(",") if place.strip())
WEAK_PLACES = frozenset(
    "us para bh poa df sp rj georgia turkey victoria vitoria jordan lima natal minas rio florence charlotte austin "
    "santos santiago salvador virginia china roma orlando phoenix madison paris diego carolina regina".split()
)
"""Places whose name is also a first name or a common word: a place only where something else says so."""

ORG_WORDS = frozenset(
    fold(word)
    for word in """
inc inc. corp corporation llc ltd gmbh co company technologies tech labs lab laboratory laboratories university college institute school academy
hospital clinic infirmary bank trust foundation association society club union council committee department ministry agency authority
museum gallery library theatre theater studio studios press publishing publishers books media group partners partnership consulting
systems software solutions services industries holdings capital ventures energy motors airlines airways transit records telemetry
orchestra choir band team network consortium cooperative collective bakery cafe café coffee restaurant bistro diner pub brewery kitchen
garden gardens nursery orchard farm farms center centre elementary church journal magazine times post news security analytics robotics
universidade faculdade colégio escola instituto hospital clínica banco fundação associação sindicato secretaria ministério prefeitura
tribunal museu galeria biblioteca teatro cinema estúdio editora livraria padaria restaurante bodega mercado supermercado farmácia
laboratório empresa grupo igreja paróquia orquestra coral banda clube cooperativa construtora consultoria oficina ateliê creche ong
correios ltda s.a. upa ubs sesc senai senac maracatu bloco escola-de-samba extension bureau observatory chapel temple synagogue
memorial logistics science guild telecom insurance pharma airlines guild district-council startup agência cartório shopping academia""".split()
)
PLACE_WORDS = frozenset(
    fold(word)
    for word in """
street st avenue ave road rd lane drive boulevard square park beach bay lake river mountain mount mt hill hills valley island islands
harbor harbour port city town village county state country forest canyon creek bridge plaza pier peninsula coast district passage
rua avenida praça parque praia lago lagoa rio serra morro ilha bairro cidade vila estado largo alameda travessa ladeira ponte chapada
vale litoral sertão interior porto engenho alto mounts north south east west norte sul leste oeste airport aeroporto station estação
mountains""".split()
)
PROJECT_WORDS = frozenset(
    "project pipeline initiative projeto iniciativa repo repository app codebase campaign campanha dory".split()
)
PRODUCT_WORDS = frozenset(
    "phone iphone laptop macbook ipad android windows linux python excel photoshop kindle playstation xbox nintendo "
    "toyota honda ford fiat volkswagen fusca tesla bmw caloi netflix spotify slack notion github docker".split()
)
EVENT_WORDS = frozenset(
    "festival marathon maratona conference conferencia summit cup copa olympics olimpiadas carnival carnaval fair "
    "feira congress congresso expo tournament torneio championship campeonato parade".split()
)
HUMAN_VERBS_EN = frozenset(
    "say tell think want like love hate ask know mention believe hope prefer decide feel call text live work move marry "
    "teach study learn agree promise suggest push review walk close pair adopt help explain pull crash meet draft "
    "design run lead manage join quit retire cook bake sing dance write turn bring laugh cry help discuss outline work "
    "identify explore fly drive".split()
)
HUMAN_VERBS_PT = frozenset(
    "dizer falar contar achar querer gostar amar odiar perguntar saber mencionar acreditar preferir decidir sentir ligar "
    "morar trabalhar mudar casar ensinar estudar aprender concordar prometer sugerir revisar adotar ajudar explicar "
    "conhecer escrever namorar separar cozinhar cantar dançar viajar comprar vir ir ter estar ser".split()
)
