"""Portuguese words of ``statements``; folded."""

# ruff: noqa: E501  (patterns read better on long lines)

from __future__ import annotations

BE = "sao ser sendo estao estar fica ficam".split()
WAS = "era eram foi foram estava estavam tinha tinham antigamente anteriormente antes-de".split()
MODAL = "deve devem devemos pode podem podemos precisa-se".split()
VERBS = """usar utilizar adotar escolher optar empregar rodar executar ter haver ficar guardar manter escrever hospedar liderar gerir gerenciar
exigir requerer precisar levar dar querer suportar incluir aceitar permitir proibir banir expirar vencer comecar iniciar terminar acabar
encerrar fechar lancar acontecer ocorrer durar custar retornar devolver enviar mandar receber chamar depender conectar escutar ouvir apontar
servir implantar publicar passar falhar bloquear habilitar desabilitar conter oferecer fornecer reportar pertencer trabalhar fazer segurar
seguir preferir confiar salvar armazenar ler indentar limitar formatar assinar aprovar mesclar rotacionar tentar registrar disparar
sincronizar criptografar validar tratar existir ver saber reunir pedir pagar cobrar nomear atribuir licenciar localizar configurar pular
ignorar ordenar esperar produzir consumir revisar cobrir importar exportar reiniciar recomendar migrar mudar trocar apagar arquivar
limpar reter desenvolver construir responder contratar entregar subir gravar compilar versionar testar documentar morar viver funcionar
operar atender abrir sair voltar cachear logar deployar mergear""".split()
WEAK = "teste limite custo deploy build release log cache registro ordem".split()
IRREGULAR = {
    "tem": "ter", "temos": "ter", "tenho": "ter", "ha": "ter", "faz": "fazer", "fazem": "fazer", "fazemos": "fazer", "vai": "ir",
    "vem": "vir", "escrito": "escrever", "escrita": "escrever", "escritos": "escrever", "escritas": "escrever", "feito": "fazer", "feita": "fazer",
    "aberto": "abrir", "aberta": "abrir", "pago": "pagar", "paga": "pagar", "pagos": "pagar", "pagas": "pagar", "mantem": "manter",
    "comeca": "comecar", "comecam": "comecar", "exige": "exigir", "exigem": "exigir", "requer": "exigir", "requerem": "exigir",
    "precisam": "exigir", "precisa": "exigir", "precisamos": "exigir", "escolhemos": "escolher", "saem": "sair", "sai": "sair", "executa": "rodar", "executam": "rodar",
    "le": "ler", "sobe": "subir", "sobem": "subir", "segue": "seguir", "seguem": "seguir", "prefere": "preferir", "preferimos": "preferir",
}  # fmt: skip
PAST_FORMS = "fez fizeram teve tiveram deu disse".split()
USE = "usar utilizar adotar escolher optar empregar".split()
DATED = "comecar iniciar terminar acabar encerrar fechar lancar expirar vencer acontecer ocorrer sair reunir".split()
TIMED = "rodar executar disparar rotacionar abrir".split()
MULTIPLE = "suportar incluir aceitar conter oferecer fornecer tratar saber cobrir ver ler".split()
DECIDED = "escolher decidir adotar optar combinar migrar mudar trocar acordar".split()
FILLERS = """nos nossa nosso nossas nossos a o as os um uma uns umas equipe time projeto empresa gente organizacao todos todas todo toda cada qualquer
atualmente agora sempre normalmente geralmente hoje ainda ja de do da dos das que se isso este esta esse essa so apenas somente
exclusivamente mesmo propria proprio novo nova atual eu voce voces eles elas seu sua seus suas meu minha principal la ai ali e por-padrao""".split()
PREPOSITIONS = "para pra em no na nos nas ao aos pelo pela pelos pelas por ate desde durante via entre sobre sob contra quando caso se onde quem como num numa".split()
CONTENT_PREPOSITIONS = "com sem antes depois".split()
INNER = "quem se quando caso onde cujo cuja porque que".split()
NOT = "nao nunca jamais nenhum nenhuma ninguem nada nem tampouco raramente dificilmente".split()
NO = ""
HEDGES = """talvez poderia poderiamos poderiam gostaria gostariamos seria seriam pretende pretendemos pretendem planeja planejamos quer queremos querem considerando consideramos
avaliando avaliamos estudando propos propomos sugeriu sugerimos provavelmente possivelmente cogita cogitamos""".split()
FUTURE = "vai vao vamos ira irao iremos futuramente breve".split()
PARTIAL = "alguns algumas maioria poucos poucas muitos muitas varios varias parte metade frequentemente quase as-vezes eventualmente".split()
EXCEPT = "exceto salvo menos fora excecao excecoes excluindo".split()
ADDITIVE = "tambem outro outra alem adicionalmente inclusive".split()
JOINS = "e ou &".split()
ROLES = """lider dono dona responsavel gerente ceo cto cfo coo fundador fundadora capitao chefe diretor diretora coordenador coordenadora
mantenedor mantenedora aprovador aprovadora titular plantonista""".split()
SLOTS = """banco database linguagem framework provedor nuvem ci pipeline editor ide formatador linter licenca broker fila cache
empacotador orquestrador chat rastreador registro regiao branch dono dona lider fuso moeda indentacao fornecedor runtime gateway""".split()
SINGLE = """escrever em|desenvolver em|hospedar em|hospedar no|liderar por|manter por|gerir por|gerenciar por|localizar em|ficar em|reportar|licenciar sob|chamar
|nomear|apontar|atribuir|configurar|pertencer|armazenar em|guardar em|implantar em|formatar com|gerir com|gerenciar com
|servir por|salvar em|morar em|viver em|cobrar em|pagar em|publicar em|documentar em""".replace("\n", "").split("|")

REWRITES = (
    (r"\b[ÉéÊê]\b|\b[Ee]stá\b", "sendo"),
    (
        r"\b(?:n[oó]s |a equipe |o time |a empresa |eles |foi )?(?:decidimos|combinamos|decidiu|decidiram|acordamos|resolvemos|ficou decidido|ficou combinado|decidido|combinado)(?: que| por)? n[aã]o (?=\w)",
        "não ",
    ),
    (
        r"\b(?:n[oó]s |a equipe |o time |a empresa |eles |foi )?(?:decidimos|combinamos|decidiu|decidiram|acordamos|resolvemos|ficou decidido|ficou combinado|decidido|combinado)(?: que| por)? (?=\w)",
        "",
    ),
    (r"\b(?:optamos por|optou por|ficamos com|padronizamos em|padronizamos|apostamos em) (?=\w)", "usamos "),
    (
        r"\b(?:temos que|tem que|t[eê]m que|temos de|tem de|sendo preciso|sendo necess[aá]rio|precisamos|precisam|precisa) (?=\w+[aei]r\b)",
        "deve ",
    ),
    (r"\b(?:evite|evitar|evitamos|evitam|evita)(?: usar| o uso de)? (?=\w)", "não usamos "),
    (r"\b(?:j[aá] )?n[aã]o ((?:se )?\w+) mais\b", r"não \1"),
    (r"\bj[aá] n[aã]o\b", "não"),
    (r"\b(?:deixamos|deixou|deixaram|paramos|parou|pararam) de (?:usar |utilizar )", "não usamos "),
    (r"\b(?:deixamos|deixou|deixaram|paramos|parou|pararam) de ", "não "),
    (r"\b(?:abandonamos|abandonou|descontinuamos|aposentamos|largamos) (?:o |a |os |as )?", "não usamos "),
    (r"\bn[aã]o s[oó]\b|\bn[aã]o apenas\b|\bn[aã]o somente\b", "também"),
    (r"\bnem (?:todos|todas|todo|toda|sempre)\b|\b[aà]s vezes\b|\bde vez em quando\b", "alguns"),
    (r"\bem breve\b", "breve"),
    (r"\bal[eé]m d[eoa]s?\b", "também"),
    (r"\bpor padr[aã]o\b", ""),
    (r"\ba cada\b", "por cada"),
    (r"\b(?:a gente|se) (?=us[ae])", ""),
    (r"\bn[aã]o d[aá] para\b|\bn[aã]o se pode\b", "não pode"),
    (r"\bbanco de dados\b", "banco"),
    (r"\bficar? a cargo d[aeo]s?\b|\b(?:sendo|fica) a cargo d[aeo]s?\b", "é liderado por"),
)
MIGRATED = r"\b(?:migramos|mudamos|trocamos|passamos|migrou|mudou|trocou) (?:\w+ )?d[eoa] (?P<old>[\w.+#-]+) para (?:o |a )?(?P<new>[\w.+#-]+)|\b(?:substitu[ií]mos|trocamos|substituiu|trocou) (?:o |a )?(?P<old2>[\w.+#-]+) p(?:or|elo|ela) (?P<new2>[\w.+#-]+)"
USES = "usamos"
INSTEAD = r",? ?\b(?:em vez d[eoa]s?|ao inv[eé]s d[eoa]s?|no lugar d[eoa]s?|em lugar d[eoa]s?)(?: usar)? (?P<v>[\w .+#-]+?)(?=$|[,;.]| para | em | no | na )|,? (?:e )?n[aã]o (?P<v2>[\w.+#-]+)(?=$|[;.])"
REASON = (
    r",? \b(?:porque|pois|j[aá] que|uma vez que|para que|a fim de|por causa d[eoa]|devido a|para evitar|visto que)\b.*$"
)
