"""Short forms of given names, English and Portuguese: Zé is José, Bob is Robert, Malu may be Maria Luísa or Maria Lúcia.

One short form may stand for several names and one name has several short forms; the tables are read both ways. They
nominate and never decide between two bearers (W14). Everything is folded (``arandu_lab.pure.text.fold``).
"""

# ruff: noqa: E501  (tables read better on long lines)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

_PT = """
adri:adriana,adriano,adriane ale:alexandre,alessandra,alessandro,alexandra,alex,alejandra alex:alexandre,alexandra,alexsandro,alexandro alicinha:alice
ande:anderson,andre andreinha:andrea,andreia andrezao:andre andrezinho:andre aninha:ana aninhas:ana anita:ana anninha:ana arthurzinho:arthur
arturzinho:artur bastiana:sebastiana bastiao:sebastiao bastinho:sebastiao be:bernardo,beatriz,benicio,betania,bernadete bea:beatriz
bel:isabel,isabela,isabella,belmira,maria+isabel bela:isabela,isabel,isabella,rafaela,gabriela belinha:isabel,isabela belzinha:isabel
bene:benedito,benedita,benicio beni:benicio,benedito,benjamin ber:bernardo berna:bernadete,bernardo bernardinho:bernardo
beta:roberta,alberta,elizabete betao:roberto,alberto,humberto bete:elisabete,elizabete,elisabeth,elizabeth
beth:elisabete,elizabete,elizabeth,elisabeth,bethania betinha:elisabete,elizabete,roberta betinho:roberto,alberto,humberto,gilberto
beto:roberto,alberto,humberto,gilberto,norberto,heriberto,adalberto,edilberto bi:bianca,beatriz,gabriela bia:beatriz,bianca,fabiana,ana+beatriz
bianquinha:bianca biazinha:beatriz bibi:bianca,gabriela,beatriz bibo:fabio biel:gabriel,daniel bru:bruno,bruna bruh:bruno,bruna brunao:bruno
bruninha:bruna bruninho:bruno caca:carlos,carolina,cassia,camila,claudia,ricardo cacau:claudia,claudio,carolina,carlos cacazinha:carolina caco:carlos
cadinho:ricardo,carlos cadu:carlos+eduardo cami:camila camilinha:camila cardo:ricardo carlao:carlos carlinha:carla carlinhos:carlos carlito:carlos
carlitos:carlos carolzinha:carolina,caroline cau:claudia,claudio,caua ceci:cecilia ceica:conceicao,maria+da+conceicao ceicinha:conceicao cela:marcela
celinha:marcela,celia,celina celinho:marcelo ceu:maria+do+ceu chica:francisca chico:francisco chiquinha:francisca chiquinho:francisco
ci:cintia,cibele,cirene,cicero cica:cecilia cicinho:cicero cida:aparecida,maria+aparecida,maria cidinha:aparecida,maria+aparecida cidoca:aparecida
cila:priscila,cecilia,lucila cin:cintia,cynthia cintinha:cintia cissa:cecilia,narcisa,clarissa cla:clara,clarice,clarissa,claudia
clarinha:clara,maria+clara,ana+clara clau:claudia,claudio,claudete claudinha:claudia claudinho:claudio conceicaozinha:conceicao cota:maria
cris:cristina,cristiane,cristiano,cristiana,cristian,christina,christiane,crislaine crisinha:cristina cristininha:cristina dade:davi,adelaide
dadinho:eduardo,davi dado:davi,eduardo,leonardo,ricardo dai:daiane,daiana,dayane dan:daniel,danilo,dante dandan:daniel
dani:daniela,daniel,daniele,danilo,danielle danilinho:danilo danizinha:daniela,daniele danny:daniel day:dayane,dayana dea:andrea,andreia
deb:debora,deborah debi:debora,deborah debinha:debora,deborah deco:andre,anderson dede:andre,andrea,deborah,denise,debora,andreia dedinha:debora
deia:andreia,andrea dete:bernadete,claudete,odete di:diana,diego,diogo,adriana didi:diego,diana,adriano,adriana,waldir,edson digo:rodrigo,diogo,diego
diguinho:rodrigo,diego,diogo dinha:claudia,sandra,raimunda,fernanda,geralda,bernarda,eduarda
dinho:claudio,reinaldo,bernardo,ricardo,eduardo,leonardo,armando,aldo dita:benedita,judite ditinho:benedito dito:benedito
dorinha:dora,isadora,auxiliadora dri:adriana,adriano,adriane drica:adriana dricca:adriana drigo:rodrigo drika:adriana driquinha:adriana
duda:eduarda,eduardo,maria+eduarda dudinha:eduarda,maria+eduarda dudu:eduardo,luis+eduardo,carlos+eduardo duduzinho:eduardo edu:eduardo,eduarda
elo:eloisa,eloa,heloisa emi:emilia,emily,emiliana enzo:lorenzo estelinha:estela fa:fabio,fabiana,fatima fabao:fabio fabi:fabiana,fabiola,fabiane,fabia
fabinha:fabiana,fabia fabinho:fabio,fabiano,fabricio fafa:fatima,fabiana fatinha:fatima fau:fabiola fe:fernanda,fernando,felipe,filipe,fellipe
fefe:fernanda,felipe,fernando felipinho:felipe fer:fernanda,fernando fernandinha:fernanda fernandinho:fernando fifi:sofia,josefina,fiona
fina:josefina,serafina,delfina fla:flavia,flavio flavinha:flavia flavinho:flavio flavito:flavio fran:francisco,francisca,franciele
gab:gabriel,gabriela gabi:gabriela,gabriel,gabriele,gabriella gabizinha:gabriela gabrielzinho:gabriel gabs:gabriel,gabriela gaby:gabriela,gabriele
ge:geraldo,geovana,gessica,georgia gege:geraldo,germano,genoveva genu:genoveva,genuino geo:george,georgina,geovana,geovani gera:geraldo,geralda
geraldinha:geralda geraldinho:geraldo gi:gisele,giovana,giovanna,gislaine,gilberto,giselle,giulia giba:gilberto gigi:gisele,giovana,giovanna,gilda
gilbertinho:gilberto gilzinho:gilberto,gilson,gil gio:giovana,giovanna,giovani,giovanni gisa:gisele,gislaine giselinha:gisele
gracinha:graca,maria+das+gracas gu:gustavo,guilherme,augusto guel:miguel guga:gustavo,augusto gugu:gustavo,augusto,antonio gugui:guilherme
gui:guilherme,guilhermina guida:margarida guidinha:margarida guiga:guilherme guilherminho:guilherme guili:guilherme gus:gustavo,augusto
gustavinho:gustavo gutinho:augusto guto:augusto,gustavo,carlos+augusto heleninha:helena helo:heloisa henriquinho:henrique huguinho:hugo iguinho:igor
ina:regina,janaina,carolina,inacia ique:henrique isa:isabela,isabel,isadora,isabella,isaura,luisa,isabelle,isaias isinha:isabela,isabel
ita:rita,anita,itamar iva:ivanilda,ivone,ivana ivinha:ivone ivinho:ivo jana:janaina,janete,janice janinha:janaina janjao:joao janjo:joao
jeff:jefferson,jeferson jefinho:jefferson,jeferson jeje:jessica,jefferson jess:jessica jessi:jessica jhon:jhonatan
jo:joao,joana,josefa,joelma,josiane,joyce joaninha:joana joaozinho:joao joca:joao,joaquim,jorge jon:jonatas,jonathan,joao jona:jonas,jonatas
jorgao:jorge jorginho:jorge jorgito:jorge josinha:josefa jota:joao,jose,jorge ju:juliana,julia,julio,juliano,juliane,jussara,junior,judite,josiane
jubs:juliana juca:jose,joaquim juju:juliana,julia,juliano jujuba:juliana juli:juliana,julia,juliane julinha:julia julinho:julio kadu:carlos+eduardo
kaka:carlos,ricardo,karina,karla kari:karina,karine,karin karininha:karina karlinha:karla keka:raquel,jessica keko:cleber
kel:raquel,kelly,michael,kelvin kika:cristina,francisca,frederica kiko:francisco,henrique,marcos kinho:marcos,francisco,joaquim kique:henrique
lala:larissa,laura,lais,larisse lari:larissa larinha:larissa,lara lau:laura,lauro lauri:lauro laurinha:laura laurita:laura
le:leticia,leandro,leonardo,alessandra,helena leandrinho:leandro leco:alexandre lele:leticia,helena,leandro,alexandre
lena:helena,madalena,marilena,lenilda leninha:helena,madalena,marlene leo:leonardo,leandro,leonel,leopoldo,leonor,leonidas leozinho:leonardo,leandro
leti:leticia leticinha:leticia li:liliane,livia,lidia,lia,aline,eliane,lilian lica:alice,elisa,angelica lice:alice
lili:liliane,eliane,liliana,elisa,alice,lidia,marli,aline,lilian lip:felipe lipe:felipe,filipe,fellipe,phelipe,luis+felipe,luiz+felipe lipinho:felipe
lo:lorena,heloisa,louise,paloma loisa:heloisa lolo:heloisa,lorena,eloa,paloma lore:lorena loreninha:lorena lourdinha:lourdes,maria+de+lourdes
lourencinho:lourenco lu:luciana,luiza,luisa,lucas,luiz,luis,lucia,lucio,luana,ludmila,luciano,lucimara,luzia,lucineide luca:lucas,luciano lucao:lucas
luci:lucia,luciana,lucimara lucinha:lucia,luciana ludi:ludmila luisinha:luisa luisinho:luis,luiz luizinho:luiz,luis luke:lucas lukinha:lucas
lula:luiz,luis lulu:luciana,luiza,luisa,lucia,luana luquinha:lucas luquinhas:lucas lurdinha:lurdes,maria+de+lourdes,lourdes luzinha:luiza,luzia
mabel:maria+isabel mag:magali,magda,magnolia magui:margarida malu:maria+luisa,maria+luiza,maria+lucia,maria+de+lourdes,maria+lurdes,maria
mane:manuel,manoel maneco:manuel,manoel manu:manuela,manuel,manoel,emanuel,emanuela,emanuelle manuca:manuela marcao:marcos,marcelo
marce:marcela,marcelo marcelao:marcelo marcelinho:marcelo marcinha:marcia marcinho:marcio marge:margarida
mari:maria,mariana,marina,marisa,mariane,marilia,marilda mariazinha:maria marica:maria maricota:maria marininha:marina mariquinha:maria
marquinho:marcos,marco marquinhos:marcos,marco marquito:marcos mat:mateus,matheus,matias matheusinho:matheus mau:mauricio,mauro,maura
mauri:mauricio,mauro mauricinho:mauricio maurinho:mauro mazinha:maria mi:michele,miriam,camila,milena,mirela,michelle,miguel michelinha:michele
mig:miguel migue:miguel miguelzinho:miguel mila:camila,ludmila,milena,emilia milinha:camila,milena mim:yasmin,miriam
mimi:miriam,yasmin,emilia,michele,camila miri:miriam mirinha:miriam mo:monica,monique,moises moni:monica,monique moninha:simone,monica
moniquinha:monica muca:samuel mundico:raimundo mundinha:raimunda mundinho:raimundo mundoca:raimunda naina:janaina naldinho:ronaldo,arnaldo,reinaldo
naldo:ronaldo,arnaldo,reinaldo,edinaldo,reginaldo,agnaldo nana:ana,mariana,juliana,luana,tatiana,adriana nanda:fernanda,ananda nandinha:fernanda
nandinho:fernando nando:fernando,ferdinando,hernando naninha:ana nat:natalia,nathalia,natasha,natanael,nathan nata:renata,natalia,natasha
nati:natalia,nathalia natinha:natalia naty:natalia,nathalia nel:nelson,daniel,manuel nelinho:manuel,manoel,nelson nelito:manuel
nelo:manuel,manoel,marcelo,nelson nelsinho:nelson nenem:raimundo,manoel nessa:vanessa,agnes nessinha:vanessa nic:nicolas,nicole nick:nicolas,nicole
nico:nicolas,nicolau,antonio niel:daniel nildo:ronildo,genildo,arnaldo nina:ana,marina,carolina,cristina,giovanina,janaina,antonina,catarina
niquinho:nicolas nonato:raimundo+nonato,raimundo otaviinho:otavio otavinho:otavio pat:patricia,patrick pati:patricia patita:patricia
patricinha:patricia patty:patricia paty:patricia paulao:paulo paulete:paula paulinha:paula,ana+paula paulinho:paulo pedrao:pedro pedrinho:pedro
pedroca:pedro pepe:jose pepeu:pedro,pepita peu:pedro phil:felipe pipo:felipe,filipe pri:priscila,priscilla,prisciliana pripri:priscila
priscilinha:priscila prizinha:priscila quel:raquel quico:francisco quim:joaquim quinca:joaquim quincas:joaquim quinzinho:joaquim quique:henrique
rach:raquel raf:rafael rafa:rafael,rafaela,raphael,raphaela rafaelinha:rafaela rafinha:rafael,rafaela rafita:rafaela rai:raissa,raimundo,raiane,raiana
raimundinho:raimundo raquelzinha:raquel re:renata,renato,regina,rebeca,renan regi:regina,reginaldo,regiane regininha:regina rena:renata
renatinha:renata renatinho:renato ric:ricardo,henrique,eric rica:ricardo,henrique ricardao:ricardo ricardinho:ricardo rick:ricardo,henrique,richard
rico:ricardo,henrique,enrico,frederico riq:henrique rique:henrique ritinha:rita ritoca:rita
ro:rosana,rodrigo,rosangela,roberta,romulo,rosa,rogerio,ronaldo rob:roberto,robson,roberta robertinha:roberta robertinho:roberto
robinho:robson,roberto rodriguinho:rodrigo ronaldinho:ronaldo rose:rosangela,roseli,rosemary,rosemeire,rosilene,rosana,roseane
rosi:rosangela,rosana,rosilene,roseli,rosimeire rosinha:rosa,rosana,rosangela,rosilda rosita:rosa sam:samuel,samara,samanta samu:samuel samuca:samuel
samuquinha:samuel sandrinha:sandra sebinha:sebastiana sergiao:sergio serginho:sergio sheilinha:sheila si:simone,silvia,sirlei,silvana silvinha:silvia
silvinho:silvio simo:simone socorrinha:socorro,maria+do+socorro socorrinho:socorro sofi:sofia sofiinha:sofia soso:sofia,sonia,solange
su:sueli,suely,susana,suzana,suelen,suzane,sulamita sueli:suely susi:susana,suzana suzi:suzana,susana suzinha:suzana,susana tai:tais,thais,taina
taia:thais,taina taninha:tania tata:tatiana,tais,tabata,talita,natalia tati:tatiana,tatiane tatinha:tatiana tato:renato,otavio tavinho:otavio,gustavo
tavo:gustavo,otavio teca:tereza,teresa tel:telma telminha:telma tere:tereza,teresa teresinha:teresa terezinha:tereza tete:tereza,teresa,stefani,stela
teteu:mateus,matheus tetezinha:tereza teu:mateus,matheus,doroteu tha:thais,thales,thalita thaisinha:thais thi:thiago thiaguinho:thiago,tiago
thiaguito:thiago,tiago ti:tiago,thiago tiaguinho:tiago,thiago tiao:sebastiao tiaozinho:sebastiao
tina:cristina,martina,valentina,albertina,ernestina,clementina,florentina tita:patricia,cristina titi:tiago,thiago,tiana
tito:tiago,thiago,tertuliano,hermito toca:antonio tom:antonio,tomas,wellington
ton:wellington,washington,everton,cleiton,airton,ailton,antonio,elton,nilton,milton tonha:antonia tonho:antonio toni:antonio tonico:antonio
toninha:antonia toninho:antonio tony:antonio tonzinho:wellington,airton totonho:antonio tuca:arthur,artur,antonia,arturo tuquinha:arthur
tutu:arthur,artur val:valeria,valdir,valdemar,valdirene,valter,valentina,valmir,valquiria valdo:valdomiro,osvaldo,valdemar valtinho:valter,walter
valzinha:valeria van:vanessa,vania,ivan,vanderlei,giovana vane:vanessa vanessinha:vanessa vaninha:vania vava:valdir,edvaldo,osvaldo,ivan
ve:veronica,vera verinha:vera veve:vera,veronica vi:vitoria,vitor,victor,vinicius,viviane,virginia,violeta vic:vitoria,victoria,victor,vitor
vick:vitoria,victoria,victor vina:vinicius vini:vinicius vinicinho:vinicius vinny:vinicius vitao:vitor,victor vitinho:vitor,victor vitorinha:vitoria
vivi:viviane,vitoria,vivian,virginia wagninho:wagner wal:walter,waldir,walmir,wallace waltinho:walter,valter washingtinho:washington welli:wellington
wil:wilson,william,wilma,willian will:wilson,william,willian wilsinho:wilson xanda:alexandra xandao:alexandre xande:alexandre
xandi:alexandre,alexandra xandinho:alexandre xico:francisco yas:yasmin zabele:isabel zabete:elisabete,elizabete zaza:isabel,isaura,elza ze:jose
zeca:jose zefa:josefa zefinha:josefa zequinha:jose zezao:jose zezinho:jose zezito:jose zizi:luzia,elizete zo:enzo,lorenzo zu:zuleica,zuleide,zulmira
zulu:zuleica
"""
_EN = """
abbie:abigail abby:abigail abe:abraham,abram abi:abigail al:albert,alan,alfred,alexander,alvin,alphonse,allen,alistair,aloysius alby:albert
alec:alexander alex:alexander,alexandra,alexis,alexandria,alec alf:alfred alfie:alfred ali:alison,alice,alistair,alicia,alexandra alix:alexandra
alli:allison allie:alison,alice,alicia,allison,alexandra ally:alison,alice,alicia,allison,alexandra andi:andrea andie:andrea,andrew
andy:andrew,andrea,anderson ang:angela,angelina angie:angela,angelina,angelica angy:angela anita:ann,anna annie:ann,anne,anna,annabel,anastasia,hannah
ant:anthony,antony arn:arnold arnie:arnold art:arthur artie:arthur arty:arthur augie:august,augustus babs:barbara barb:barbara barbie:barbara
barney:barnabas,bernard barry:bernard,barrington bea:beatrice,beatrix becca:rebecca beck:rebecca,beckett becky:rebecca becs:rebecca
bee:beatrice,beatrix bel:annabel,belinda,isabel,arabella bella:isabella,arabella,annabella,isabel ben:benjamin,benedict,bennett benji:benjamin
bennie:benjamin,benedict benny:benjamin,benedict,bennett bern:bernard bernie:bernard,bernadette,bernice
bert:albert,robert,herbert,gilbert,bertram,hubert,bertha bertha:alberta bertie:albert,herbert,bertha,robert bess:elizabeth bessie:elizabeth
beth:elizabeth,bethany,bethan,elisabeth betsy:elizabeth bette:elizabeth betty:elizabeth,bettina bev:beverly,beverley biddy:bridget bill:william
billie:william,wilhelmina billy:william bob:robert,roberta bobbie:roberta,robert,barbara bobby:robert,roberta brad:bradley,bradford bram:abraham,abram
bri:brian,brianna,bridget bridie:bridget bryn:brynn buffy:elizabeth cam:cameron,camilla,campbell carly:carla,caroline,charlotte
carrie:caroline,carolyn,carol,carolina cass:cassandra,cassidy,cassius cassie:cassandra,cassidy,catherine cat:catherine,caterina
cath:catherine,cathleen cathy:catherine,cathleen,katherine cece:cecilia,cecily cel:celeste,celia char:charlotte,charlene,charmaine charley:charles
charlie:charles,charlotte,charlene chas:charles chaz:charles chris:christopher,christian,christine,christina,christa,crystal
chrissie:christine,christina chrissy:christine,christina christie:christine,christina,christopher christy:christine,christina,christopher
chuck:charles cilla:priscilla cindy:cynthia,lucinda cissy:cecilia clem:clement,clementine cliff:clifford,clifton clint:clinton
con:constance,conrad,connor connie:constance,cornelia,conrad corrie:cornelia,cora cory:cornelius,corey cyndi:cynthia dan:daniel,daniella,jordan
dani:danielle,daniella,daniela dannie:daniel,danielle danny:daniel,danielle dav:david dave:david davey:david davy:david deb:deborah,debra
debbie:deborah,debra debby:deborah,debra debs:deborah dee:deirdre,delores,deanna,diana del:derek,delbert,adele,delores den:dennis,denise,denzel
dennie:dennis denny:dennis,denise,denzel derry:derek des:desmond dex:dexter di:diana,diane,dinah dick:richard didi:diana,deirdre dodie:dorothy
dolly:dorothy,dolores dom:dominic don:donald,donovan,gordon donnie:donald donny:donald dory:dorothy,doris,isadora dot:dorothy dottie:dorothy
doug:douglas dougie:douglas drew:andrew ed:edward,edwin,edmund,edgar,eduardo eddie:edward,edwin,edmund,edgar eddy:edward,edwin,edmund effie:euphemia
eliza:elizabeth ell:eleanor,ellen ellie:eleanor,ellen,elizabeth,elaine,elena,elise em:emily,emma,emmeline emi:emily emmie:emily,emma
emmy:emily,emma,emmeline ern:ernest ernie:ernest etta:henrietta,loretta ev:evelyn,evan,everett eve:evelyn,evangeline,genevieve
evie:evelyn,eve,evangeline,eva fanny:frances,stephanie flo:florence,flora florrie:florence flossie:florence fran:frances,francis,francesca
frank:francis,franklin,francisco,frances frankie:francis,franklin,frances,francesca franky:francis,franklin frannie:frances franny:frances,francesca
fred:frederick,alfred,wilfred,manfred freda:frederica,winifred,alfreda freddie:frederick,alfred,winifred,frederica freddy:frederick,alfred
fredrick:frederick fritz:frederick gabbie:gabrielle,gabriella gabby:gabrielle,gabriella,gabriela gabe:gabriel gail:abigail gen:genevieve,eugenia
gene:eugene,eugenia genny:genevieve geoff:geoffrey geordie:george georgie:george,georgia,georgina ger:gerard,gerald gerry:gerald,gerard,geraldine
gertie:gertrude gerty:gertrude gill:gillian,gilbert ginger:virginia ginny:virginia,genevieve,ginevra greg:gregory,gregor gregg:gregory
gretchen:margaret gus:augustus,angus,august,gustav,augustine gussie:augusta,augustus gwen:gwendolyn,gwendolen,guinevere hal:henry,harold,hallie
hank:henry harrie:harriet,henry harry:henry,harold,harrison,harris hattie:harriet hatty:harriet hen:henry,henrietta herb:herbert
hetty:harriet,henrietta howie:howard hughie:hugh ib:isabel ike:isaac,dwight ira:irene irv:irving,irvin isa:isabel,isabella issy:isabel,isabella
izzie:isabel,isabella izzy:isabel,isabella,isidore,israel jack:john,jackson,jacob,jacqueline jackie:jacqueline,john,jack jacky:jacqueline,john
jacqui:jacqueline jake:jacob janey:jane janie:jane jany:jane jas:jasmine,jasper,jason jay:james,jason,jacob,jayden jaz:jasmine jazz:jasmine
jeb:jebediah jeff:jeffrey,geoffrey,jefferson jem:james,jeremy,jemima jen:jennifer,jenna jenn:jennifer jenna:jennifer jennie:jennifer,jane,virginia
jenny:jennifer,genevieve,jane,virginia jere:jeremiah,jeremy jerry:gerald,jeremiah,jerome,jeremy,gerard,geraldine jess:jessica,jesse
jessie:jessica,jesse,jean,janet jessy:jessica jez:jeremy jilly:gillian,jillian jim:james jimmie:james jimmy:james
jo:joanna,josephine,joan,joanne,jody,joseph jock:john jodie:judith,joanna jody:judith,joseph joe:joseph,josephine,joanna joey:joseph,josephine
johnnie:john,jonathan johnny:john,jonathan jon:jonathan,john,jonah jonny:jonathan,john jos:joseph,joshua josh:joshua josie:josephine,joanna
judy:judith jules:julia,julian,juliet,julius,julie kat:katherine,katrina,kathryn,katarina kate:katherine,catherine,kathryn,katharine,kaitlyn
kath:katherine,kathleen kathie:katherine,kathleen kathy:katherine,kathleen,kathryn,catherine katie:katherine,catherine,kathryn,kaitlyn
katy:katherine,catherine,kathryn kay:katherine,catherine,kathryn kaye:katherine ken:kenneth,kendall,kent kenny:kenneth,kendall
kirsty:kirsten,christina kit:christopher,katherine,catherine,christian kitty:katherine,catherine kris:kristin,kristina,kristopher,christopher
kristie:kristine,kristina kristy:kristin,kristina,christina larry:lawrence,laurence,lauren lars:lawrence laurie:lawrence,laura,lauren,laurel
laz:lazarus lee:leroy,leland,leigh len:leonard lena:helena,magdalena,angelina,marlena,selena lenny:leonard,lennox leo:leonard,leopold,leonardo
les:leslie,lester lettie:letitia,violet,charlotte letty:letitia lew:lewis,llewellyn lex:alexander,alexis,alexandra lexi:alexandra,alexis,alexandria
lexie:alexandra,alexis liam:william libby:elizabeth,olivia licia:alicia,felicia lijah:elijah lilibet:elizabeth lina:carolina,angelina,paulina,adelina
lindy:linda,belinda lisha:alicia liv:olivia livia:olivia livvy:olivia liz:elizabeth,elisabeth,eliza liza:elizabeth,eliza
lizzie:elizabeth,elisabeth,eliza lizzy:elizabeth,elisabeth,eliza lol:laurence lon:alonzo lonnie:alonzo,lawrence lonny:alonzo
lori:laura,lorraine,lauren lorie:laura,lorraine lorry:lawrence lotte:charlotte lottie:charlotte lou:louis,louise,louisa,lewis,lucille
louie:louis,louise,lewis lu:lucy,louise,louis,lucille,luella lucy:lucille,lucinda,lucia ludo:ludovic lulu:louise,louisa,lucy
lyn:carolyn,linda,lynette,marilyn lynn:linda,carolyn,lynette mac:mackenzie,malcolm mack:mackenzie,malcolm maddie:madeline,madison,madeleine
maddy:madeline,madison,madeleine madge:margaret,madeline,magdalena mads:madison,madeline mae:mary,mabel maggie:margaret,magdalena,magnolia
mags:margaret mal:malcolm,mallory malc:malcolm mamie:mary,margaret mandy:amanda,miranda manny:emanuel,emmanuel,manuel marcie:marcia,marcella
marcy:marcia,marcella,marcelina mare:mary marge:margaret,marjorie,margery margie:margaret,margery,marjorie martie:martha,martin
marty:martin,martha,martina matt:matthew,matthias mattie:matthew,matilda,martha matty:matthew,matilda maude:matilda,madeline
max:maximilian,maxwell,maxine,maximus,maximiliano may:mary,margaret,mabel meg:margaret,megan meggie:margaret,megan
mel:melissa,melanie,melinda,melvin,amelia,imelda melly:melanie,melissa mick:michael mickey:michael mickie:michelle micky:michael mike:michael
mikey:michael millie:mildred,millicent,amelia,emily,camilla milly:mildred,millicent,amelia,emily,camilla mimi:mary,miriam,wilhelmina
minnie:wilhelmina,mary,minerva mischa:michael misha:michael missy:melissa,millicent mitch:mitchell,michael mitzi:mary
mo:maurice,maureen,morris,mohammed,moses moe:moses,maurice,morris,mohammed moll:mary mollie:mary molly:mary,margaret monty:montgomery,montague
morrie:maurice,morris mort:mortimer,morton morty:mortimer,morton nan:nancy,anne,ann,annette,hannah nanny:anne,nancy
nat:nathaniel,nathan,natalie,natasha nate:nathan,nathaniel natty:nathaniel,natalie ned:edward,edmund,edwin neddy:edward
nell:eleanor,helen,ellen,penelope,cornelia,petronella nellie:eleanor,helen,ellen,cornelia,penelope nelly:eleanor,helen,ellen nessa:vanessa,agnes
nessie:agnes,vanessa nica:veronica,monica nick:nicholas,nicola,dominic,nicolas,nicole nicki:nicole,nicola nicky:nicholas,nicole,nicola,veronica
nico:nicholas,nicolas,nicola,nicole nikki:nicole,nicola,nikita nina:ann,anna,antonina nora:eleanor,honora,leonora norm:norman oli:oliver,olivia
ollie:oliver,olivia olly:oliver,olivia oz:oswald,oscar,osborne ozzie:oswald,oscar,osborne paddy:patrick,padraig pam:pamela pammy:pamela
pat:patricia,patrick,martha patsy:patricia,martha patti:patricia pattie:patricia patty:patricia,martha,matilda peg:margaret peggy:margaret
pen:penelope penny:penelope perce:percival percy:percival persie:persephone pete:peter petey:peter phil:philip,phillip,phyllis,philippa
pip:philip,philippa pippa:philippa polly:mary,paula,pauline,apollonia pris:priscilla prissy:priscilla pru:prudence prue:prudence quent:quentin
quin:quincy,quinn rach:rachel rachie:rachel rae:rachel,raelene raj:rajesh,rajiv,rajendra ralphie:ralph rand:randall,randolph
randy:randall,randolph,miranda ray:raymond,rachel,rayner reba:rebecca reg:reginald reggie:reginald resa:theresa rich:richard richie:richard
rick:richard,frederick,eric,patrick rickie:richard,erica ricky:richard,frederick,eric rina:katarina,marina,caterina rob:robert,robin,roberta
robbie:robert,roberta,robin roddy:rodney,roderick rodge:roger rodie:rodney rog:roger rolf:rudolph romy:rosemary,romana ron:ronald,aaron,cameron,byron
ronnie:ronald,veronica,aaron,rhonda ronny:ronald ros:rosalind,rosamund rose:rosemary,rosalind,rosalie,roseanne rosie:rose,rosemary,rosalind,rosa
roxie:roxanne roxy:roxanne roz:rosalind,rosalyn rudy:rudolph,rudolf russ:russell rusty:russell ruthie:ruth rye:ryan sacha:alexander sadie:sarah,sara
sal:sally,sarah,salvatore,salvador sally:sarah,sara sam:samuel,samantha,samson sammie:samuel,samantha sammy:samuel,samantha sandi:cassandra,sandra
sandy:alexander,alexandra,sandra,santiago sanna:susanna sarry:sarah sasha:alexander,alexandra shari:sharon shaz:sharon shel:sheldon,shelby
shell:michelle,rochelle shelley:rachel,michelle shelly:rachel,michelle,shelby,sheldon sher:sherry,cheryl sherry:sharon,cheryl,charlotte shirl:shirley
si:simon,silas,josiah sid:sidney,sydney sissy:cecilia sly:sylvester sol:solomon soph:sophia,sophie sophie:sophia,sophronia stan:stanley,stanislaus
stasia:anastasia ste:stephen steffi:stephanie steph:stephanie,stephen stephie:stephanie steve:steven,stephen stevie:steven,stephen,stephanie
stew:stewart stu:stuart,stewart sue:susan,susanna,suzanne sukie:susan susie:susan,susanna,suzanne suzie:susan,suzanne,susanna suzy:susan,suzanne
syd:sydney,sidney syl:sylvia sylv:sylvia,sylvester tab:tabitha tabby:tabitha tad:thaddeus tam:thomas,tamara,tamsin tammy:tamara,tamsin tash:natasha
tasha:natasha,latasha tasia:anastasia ted:theodore,edward,edmund teddy:theodore,edward,edmund terri:theresa,teresa terrie:theresa
terry:terence,theresa,teresa,terrance tess:theresa,teresa tessa:theresa,teresa thad:thaddeus thea:dorothea,theodora,althea
theo:theodore,theobald,theodora thom:thomas tia:letitia,tiana tillie:matilda tilly:matilda tim:timothy timmy:timothy
tina:christina,christine,martina,valentina,bettina,ernestina tobe:tobias toby:tobias,tobiah tod:theodore tom:thomas,tomas tommie:thomas tommy:thomas
toni:antonia,antoinette tony:anthony,antonio,antony,antoine tonya:antonia topher:christopher tori:victoria toria:victoria tory:victoria
tracy:theresa,teresa tricia:patricia trina:katrina,catrina trish:patricia trisha:patricia trix:beatrix,beatrice trixie:beatrix,beatrice
trudy:gertrude,trudie ty:tyler,tyrone,tyson val:valerie,valentina,valentine,valeria van:vanessa,ivan,evan,vance vanny:vanessa vi:violet,viola,vivian
vic:victor,victoria vick:victor,victoria vicki:victoria vickie:victoria vicky:victoria viki:victoria vin:vincent,calvin,alvin vince:vincent
vinnie:vincent vinny:vincent viv:vivian,vivien,vivienne vonnie:yvonne,veronica wally:walter,wallace walt:walter wat:walter wendy:gwendolyn,gwendolen
wes:wesley,weston wil:william,wilson wilbur:wilbert wilf:wilfred will:william,wilfred,willis,willard willie:william,wilfred,wilhelmina wills:william
willy:william,wilfred win:winifred,winston winnie:winifred,edwina,gwendolyn xander:alexander yoli:yolanda zac:zachary zach:zachary,zachariah
zachy:zachary zack:zachary,zachariah zak:zachary zander:alexander zanna:susanna zeb:zebulon,zebediah zeke:ezekiel,zachariah
"""
_ENDINGS = ("zinhos", "zinho", "zinha", "zao", "inhos", "inho", "inha", "ao")
_SHORT = 4
"""Letters that a word must have before its diminutive ending is taken off, ending included, beyond the ending itself."""


@cache
def _table() -> Mapping[str, frozenset[str]]:
    out: dict[str, set[str]] = {}
    for entry in (_PT + _EN).split():
        short, _, full = entry.partition(":")
        out.setdefault(short, set()).update(name.replace("+", " ") for name in full.split(",") if name)
    return {short: frozenset(names - {short}) for short, names in out.items() if names - {short}}


@cache
def _names() -> frozenset[str]:
    return frozenset(_table()) | {full.split(" ")[0] for names in _table().values() for full in names}


@lru_cache(maxsize=65536)
def given_names(short: str) -> frozenset[str]:
    """The given names (folded) that a folded short form may stand for, diminutives in -inho and the like among them.

    A name made by taking an ending off may be no name at all: it is only good for comparing with one that is.

    >>> sorted(given_names("bob")), "jose" in given_names("ze"), "maria luisa" in given_names("malu")
    (['robert', 'roberta'], True, True)
    >>> "marcelo" in given_names("marcelinho"), "paula" in given_names("paulinho"), given_names("rafael")
    (True, False, frozenset())
    """
    return _table().get(short, frozenset()) | _undiminished(short)


def short_forms(name: str) -> frozenset[str]:
    """The folded short forms in the tables of a folded given name.

    >>> sorted(short_forms("humberto"))
    ['betao', 'betinho', 'beto']
    """
    return _reverse().get(name, frozenset())


def is_given_name(word: str) -> bool:
    """Whether a folded word is a given name or a short form of one in the tables.

    >>> is_given_name("ana"), is_given_name("beto"), is_given_name("segunda")
    (True, True, False)
    """
    return word in _names()


def may_be(mention: Sequence[str], name: Sequence[str]) -> bool:
    """Whether the folded words of a mention may be a person's whose full name has the folded words ``name``.

    Its first word is a short form of the given name, or the other way round; what else it says stands in the name too.

    >>> may_be(["beto"], ["roberto", "lima"]), may_be(["beto", "lima"], ["roberto", "lima"])
    (True, True)
    >>> may_be(["beto", "souza"], ["roberto", "lima"]), may_be(["francisco"], ["chico"]), may_be(["ana"], ["ana"])
    (False, True, False)
    """
    return any(said <= held for said, held in (*_rests(mention, name), *((b, a) for a, b in _rests(name, mention))))


def may_be_fuller(mention: Sequence[str], name: Sequence[str]) -> bool:
    """Whether the folded words of a mention may be the full name of somebody known by a short form alone.

    >>> may_be_fuller(["roberto", "lima"], ["beto"]), may_be_fuller(["roberto", "lima"], ["beto", "souza"])
    (True, False)
    """
    return len(name) == 1 and len(mention) > 1 and any(not said for said, _ in _rests(name, mention))


def _rests(short: Sequence[str], long: Sequence[str]) -> list[tuple[set[str], set[str]]]:
    """What is left of both sides for each given name that the first word of ``short`` stands for in front of ``long``."""
    out = []
    for full in given_names(short[0]) if short and long else ():
        parts = full.split(" ")
        if list(long[: len(parts)]) == parts:
            out.append((set(short[1:]), set(long[len(parts) :])))
    return out


@cache
def _reverse() -> Mapping[str, frozenset[str]]:
    out: dict[str, set[str]] = {}
    for short, names in _table().items():
        for name in names:
            out.setdefault(name, set()).add(short)
    return {name: frozenset(shorts) for name, shorts in out.items()}


def _undiminished(word: str) -> frozenset[str]:
    """What a Portuguese diminutive or augmentative is made of: Aninha of Ana, Marquinhos of Marcos, Luizinho of Luiz."""
    found: set[str] = set()
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < max(2, _SHORT - len(ending)) or (ending == "ao" and len(stem) < _SHORT):
            continue
        vowel = "a" if ending.rstrip("s").endswith("a") else "o"
        for base in {stem, stem.removesuffix("qu") + "c" if stem.endswith("qu") else stem, _hard(stem)}:
            made = {base + vowel, base + "e"}
            if vowel == "o" or len(base) > 3:
                made |= {base, base + vowel + "s"} if ending.endswith("s") or ending.startswith("z") else {base}
            found |= made
    return frozenset(name for name in found if len(name) > 2) - {word}


def _hard(stem: str) -> str:
    """The stem with the hard sound that stands before an o or an a: Tiagu-inho is of Tiago."""
    return stem.removesuffix("gu") + "g" if stem.endswith("gu") else stem
