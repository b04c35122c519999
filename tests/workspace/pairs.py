"""Pairs of statements of one topic, those that contradict each other and those that do not. Written by hand."""

from __future__ import annotations

# topic | one | other: all of these contradict each other
ENGLISH_APART = """
deploys | deploys run on Fridays | deploys never run on Fridays
api | the API limit is 100 | the API limit is 250
database | We use PostgreSQL | We use MySQL
deploys | We don't deploy on Fridays | We deploy on Fridays after lunch
retries | The client retries 3 times | The client retries five times
timeouts | Requests time out after 30 seconds | Requests time out after 2 minutes
indentation | Use tabs for indentation | Use spaces for indentation
reviews | Every PR needs two approvals | PRs need one approval
standup | The standup starts at 9:30 | The standup starts at 10am
deadline | The deadline is March 3 | The deadline is March 10
backend | The backend is written in Go | The backend is written in Rust
hosting | The service is hosted on AWS | The service is hosted on Azure
ownership | Billing is owned by Ana | Billing is owned by Bruno
team | Ana is the tech lead | Bruno is the tech lead
flags | The new checkout is enabled | The new checkout is disabled
tests | Tests must pass before merging | Tests do not have to pass before merging
ci | CI runs on Jenkins | CI runs on CircleCI
ci | We no longer use Jenkins | We use Jenkins
repo | The repository is public | The repository is private
python | The service requires Python 3.11 | The service requires Python 3.12
branches | The default branch is main | The default branch is develop
logs | Logs are kept for 30 days | Logs are kept for 90 days
uploads | Uploads are limited to 10 MB | Uploads are limited to 1 GB
style | Signing commits is required | Signing commits is optional
merge | We squash when merging pull requests | We do not squash when merging pull requests
chat | We decided to use Slack | We decided to use Microsoft Teams
db | We migrated from MySQL to PostgreSQL | We use MySQL
release | The release is on Friday | The release is on Monday
frontend | The frontend uses React | The frontend uses Vue
cache | The cache is never invalidated | The cache is invalidated on every deploy
naming | Column names use snake_case | Column names use camelCase
coverage | Test coverage must be at least 80% | Test coverage must be at least 90%
"""

# these may both be so
ENGLISH_TOGETHER = """
database | uses Postgres for billing | uses MySQL for search
stack | We use Python | We use Docker
deploys | Deploys run on Fridays | Deployments happen on Friday mornings
api | The API limit is 100 | The limit of the API is 100 requests
api | The API limit is 100 requests per minute | The API timeout is 250 ms
api | The API is slow | The API is documented
retries | The client retries 3 times | The server retries five times
deploys | We never deploy on Fridays | We never deploy on Sundays
deploys | We deploy on Mondays | We deploy on Thursdays
db | We used MySQL until 2020 | We use PostgreSQL
db | We may use MySQL | We use PostgreSQL
db | We use PostgreSQL | We also use MySQL
db | We use Postgres | We use PostgreSQL
db | We use PostgreSQL and MySQL | We use PostgreSQL
tests | Some tests are flaky | Some tests are not flaky
deploys | Never deploy on Fridays except for hotfixes | Deploy on Fridays for hotfixes
cache | The cache lives for 60 minutes | The cache lives for 1 hour
issues | Ticket 12 is done | Ticket 13 is done
incidents | We had 5 incidents in 2023 | We had 7 incidents in 2024
python | The library supports Python 3.11 | The library supports Python 3.12
team | Ana is a developer | Bruno is a developer
teams | Team A uses Java | Team B uses Kotlin
branches | The default branch is main | The default branch is protected
tests | Tests that do not pass are skipped | Tests that pass are reported
reviews | PRs need at least 2 approvals | The last PR had 3 approvals
repos | Public repos are scanned | Private repos are archived
hosting | The API is hosted on AWS | The website is hosted on Netlify
limits | Free users get 100 requests | Paid users get 250 requests
"""

PORTUGUESE_APART = """
deploys | os deploys rodam às sextas | os deploys nunca rodam às sextas
api | o limite da API é 100 | o limite da API é 250
banco | usamos PostgreSQL | usamos MySQL
deploys | Não fazemos deploy na sexta | Fazemos deploy na sexta depois do almoço
tentativas | O cliente tenta 3 vezes | O cliente tenta cinco vezes
tempo | As requisições expiram em 30 segundos | As requisições expiram em 2 minutos
indentação | Usamos tabs na indentação | Usamos espaços na indentação
revisão | Todo PR precisa de duas aprovações | Os PRs precisam de uma aprovação
daily | A daily começa às 9h30 | A daily começa às 10h
prazo | O prazo é 3 de março | O prazo é 10 de março
backend | O backend é escrito em Go | O backend é escrito em Rust
hospedagem | O serviço está hospedado na AWS | O serviço está hospedado na Azure
cobrança | A cobrança é mantida por Ana | A cobrança é mantida por Bruno
time | A Ana é a líder técnica | O Bruno é o líder técnico
flags | O novo checkout está habilitado | O novo checkout está desabilitado
testes | Os testes devem passar antes do merge | Os testes não precisam passar antes do merge
ci | A CI roda no Jenkins | A CI roda no CircleCI
ci | Não usamos mais o Jenkins | Usamos o Jenkins
repositório | O repositório é público | O repositório é privado
python | O serviço exige Python 3.11 | O serviço exige Python 3.12
branch | A branch padrão é main | A branch padrão é develop
logs | Os logs são guardados por 30 dias | Os logs são guardados por 90 dias
uploads | O limite de upload é de 10 MB | O limite de upload é de 1 GB
commits | A assinatura dos commits é obrigatória | A assinatura dos commits é opcional
chat | Decidimos usar o Slack | Decidimos usar o Microsoft Teams
banco | Migramos do MySQL para o PostgreSQL | Usamos MySQL
release | A release é na sexta-feira | A release é na segunda-feira
frontend | O frontend usa React | O frontend usa Vue
cache | O cache nunca é invalidado | O cache é invalidado a cada deploy
colunas | Os nomes de colunas usam snake_case | Os nomes de colunas usam camelCase
cobertura | A cobertura deve ser de pelo menos 80% | A cobertura deve ser de pelo menos 90%
ci | Deixamos de usar o Travis | Usamos o Travis
"""

PORTUGUESE_TOGETHER = """
banco | usa Postgres para cobrança | usa MySQL para busca
stack | Usamos Python | Usamos Docker
deploys | Os deploys rodam às sextas | As implantações acontecem na sexta de manhã
api | O limite da API é 100 | O limite da API é de 100 requisições
api | O limite da API é de 100 requisições por minuto | O tempo limite da API é de 250 ms
api | A API é lenta | A API é documentada
tentativas | O cliente tenta 3 vezes | O servidor tenta cinco vezes
deploys | Nunca fazemos deploy na sexta | Nunca fazemos deploy no domingo
deploys | Fazemos deploy às segundas | Fazemos deploy às quintas
banco | Usávamos MySQL até 2020 | Usamos PostgreSQL
banco | Talvez usemos MySQL | Usamos PostgreSQL
banco | Usamos PostgreSQL | Também usamos MySQL
banco | Usamos Postgres | Usamos PostgreSQL
banco | Usamos PostgreSQL e MySQL | Usamos PostgreSQL
testes | Alguns testes são instáveis | Alguns testes não são instáveis
deploys | Nunca fazemos deploy na sexta exceto para correções | Fazemos deploy na sexta para correções
cache | O cache dura 60 minutos | O cache dura 1 hora
chamados | O chamado 12 está pronto | O chamado 13 está pronto
incidentes | Tivemos 5 incidentes em 2023 | Tivemos 7 incidentes em 2024
python | A biblioteca suporta Python 3.11 | A biblioteca suporta Python 3.12
time | A Ana é desenvolvedora | O Bruno é desenvolvedor
times | O time A usa Java | O time B usa Kotlin
branch | A branch padrão é main | A branch padrão é protegida
testes | Os testes que não passam são ignorados | Os testes que passam são publicados
revisão | Os PRs precisam de pelo menos 2 aprovações | O último PR teve 3 aprovações
repositórios | Os repositórios públicos são varridos | Os repositórios privados são arquivados
hospedagem | A API está hospedada na AWS | O site está hospedado na Netlify
limites | Usuários gratuitos têm 100 requisições | Usuários pagos têm 250 requisições
"""


# written after the rules stood, both languages: what was wrong among these was mended once
LATER_APART = """
auth | Tokens expire after one hour | Tokens expire after 24 hours
auth | Authentication uses JWT | Authentication uses cookies
docs | The docs are written in Markdown | The docs are written in AsciiDoc
db | The database runs on port 5432 | The database runs on port 5433
deploy | Deploys are manual | Deploys are automatic
deploy | We stopped using Heroku | We use Heroku
deploy | Production deploys need approval from the lead | Production deploys don't need approval from the lead
style | We use Black, not YAPF | We use YAPF
time | The build takes 5 minutes | The build takes 20 minutes
review | Ana approves all migrations | Ana does not approve migrations
queue | Database: PostgreSQL | Database: MySQL
region | The cluster is located in Frankfurt | The cluster is located in Oregon
tests | Integration tests run before every deploy | Integration tests never run before a deploy
logo | The maximum upload size is 10 MB | The maximum upload size is 25 MB
sla | The SLA is 99.9% | The SLA is 99.5%
meeting | The retro is on Thursdays | The retro is on Wednesdays
deadline | The beta launches on May 3 | The beta launches on June 1
errors | The API returns 404 for missing users | The API does not return 404 for missing users
infra | Staging has 2 replicas | Staging has 4 replicas
lang | O serviço é escrito em Kotlin | O serviço é escrito em Java
auth | Os tokens expiram em uma hora | Os tokens expiram em 24 horas
deploy | O deploy é manual | O deploy é automático
time | O build leva 5 minutos | O build leva 20 minutos
reunião | A retro é na quinta | A retro é na quarta
lanç | O beta será lançado em maio | O beta será lançado em junho
api | A API aceita XML | A API não aceita XML
infra | O staging tem 2 réplicas | O staging tem 4 réplicas
banco | Banco de dados: PostgreSQL | Banco de dados: MySQL
sla | O SLA é de 99,9% | O SLA é de 99,5%
preço | O plano custa R$ 50 por mês | O plano custa R$ 80 por mês
licença | O projeto usa a licença MIT | O projeto usa a licença GPL
gestão | A squad é liderada pela Carla | A squad é liderada pelo Diego
alerts | Alerts go to PagerDuty | Alerts never go to PagerDuty
vpn | The VPN is mandatory for contractors | The VPN is optional for contractors
sessions | Sessions last 15 minutes | Sessions last 8 hours
bundler | The web app uses Webpack | The web app uses Vite
pricing | The basic plan costs $10 per month | The basic plan costs $15 per month
css | Inline styles are allowed | Inline styles are forbidden
repo | The code is stored in GitHub | The code is stored in GitLab
rotation | On-call rotates weekly | On-call rotates daily
exports | Exports contain personal data | Exports don't contain personal data
memory | Workers have 2 GB of memory | Workers have 4 GB of memory
license | The SDK is licensed under MIT | The SDK is licensed under Apache
approver | Carla is the release manager | Davi is the release manager
planning | Planning happens on Mondays | Planning happens on Tuesdays
branches | Never push to main | Push to main
alertas | Os alertas vão para o PagerDuty | Os alertas nunca vão para o PagerDuty
vpn | A VPN é obrigatória para terceiros | A VPN é opcional para terceiros
sessões | As sessões duram 15 minutos | As sessões duram 8 horas
css | Estilos inline são permitidos | Estilos inline são proibidos
código | O código fica no GitHub | O código fica no GitLab
plantão | O plantão troca semanalmente | O plantão troca diariamente
dados | As exportações contêm dados pessoais | As exportações não contêm dados pessoais
memória | Os workers têm 2 GB de memória | Os workers têm 4 GB de memória
gerente | A Carla é a gerente de release | O Davi é o gerente de release
planejamento | O planejamento acontece às segundas | O planejamento acontece às terças
branches | Nunca faça push na main | Faça push na main
"""

LATER_TOGETHER = """
auth | Access tokens expire after one hour | Refresh tokens expire after 24 hours
tests | Unit tests take 2 minutes | Integration tests take 20 minutes
db | Postgres is fast | MySQL is fast
infra | Staging has 2 replicas | Production has 4 replicas
infra | The API runs on Kubernetes | The API runs on AWS
docs | The docs are in English | The docs are in the wiki
meeting | Ana met Bruno on Monday | Ana met Bruno on Thursday
release | Version 2 supports OAuth | Version 3 supports SAML
release | Version 2 fixed the login bug | Version 3 fixed the login bug
bug | Bug 12 was fixed by Ana | Bug 13 was fixed by Bruno
deploy | The deploy on Monday failed | The deploy on Thursday passed
deploy | The staging deploy is manual | The production deploy is automatic
limits | The default limit is 100 | The limit for admins is 250
tools | The frontend uses TypeScript | The frontend uses React
tools | We use Jest for unit tests | We use Cypress for end-to-end tests
tools | We use GitHub for code | We use GitLab for CI
tools | Use tabs in Makefiles | Use spaces in Python
team | Ana works on billing | Ana works on search
team | Ana prefers tabs | Bruno prefers spaces
retry | Retries wait 5 seconds | Retries happen at most 3 times
decision | We will migrate to Postgres | We use MySQL
decision | We considered MySQL | We chose PostgreSQL
api | The API returns JSON | The API returns XML on request
cache | The cache is fast | The cache is not distributed
tests | The login test passes | The checkout test fails
on-call | Ana is on call this week | Bruno is on call next week
backup | Backups run at 2am | Backups are stored in S3
ops | The server has 16 GB of memory | The server has 500 GB of disk
ops | The API has 3 endpoints for users | The API has 5 endpoints for orders
perf | The query took 3 seconds yesterday | The query took 5 seconds today
auth | Os tokens de acesso expiram em uma hora | Os tokens de renovação expiram em 24 horas
testes | Os testes unitários levam 2 minutos | Os testes de integração levam 20 minutos
infra | O staging tem 2 réplicas | A produção tem 4 réplicas
ferr | Usamos o GitHub para código | Usamos o GitLab para CI
time | A Ana trabalha em cobrança | A Ana trabalha em busca
time | A Ana prefere tabs | O Bruno prefere espaços
decisão | Vamos migrar para Postgres | Usamos MySQL
deploy | O deploy de segunda falhou | O deploy de quinta passou
versão | A versão 2 corrigiu o bug do login | A versão 3 corrigiu o bug do login
reunião | A Ana se reuniu com o Bruno na segunda | A Ana se reuniu com o Bruno na quinta
plantão | A Ana está de plantão esta semana | O Bruno está de plantão na próxima semana
infra | O servidor tem 16 GB de memória | O servidor tem 500 GB de disco
api | A API retorna JSON | A API retorna XML sob demanda
banco | O banco é rápido | O banco não é distribuído
alerts | Critical alerts go to PagerDuty | Minor alerts never go to PagerDuty
sessions | Admin sessions last 15 minutes | User sessions last 8 hours
pricing | The basic plan costs $10 per month | The pro plan costs $15 per month
css | Inline styles are allowed in emails | Inline styles are forbidden in the app
repo | The code is stored in GitHub | The secrets are stored in Vault
deps | We depend on Redis | We depend on Kafka
ops | The job reads from S3 | The job writes to BigQuery
memory | Workers have 2 GB of memory | Workers have 4 CPUs
people | Carla reviewed the migration | Davi reviewed the migration
people | Carla likes Rust | Davi likes Go
docs | The README explains the setup | The README does not explain the deployment
tests | We test on Chrome | We test on Firefox
auth | Login supports Google | Login supports GitHub
perf | Page load dropped by 20% in May | Page load dropped by 35% in June
rules | Don't commit secrets | Commit early
rules | Never log passwords | Log all requests
alertas | Alertas críticos vão para o PagerDuty | Alertas menores nunca vão para o PagerDuty
sessões | Sessões de admin duram 15 minutos | Sessões de usuário duram 8 horas
preço | O plano básico custa R$ 10 por mês | O plano pro custa R$ 15 por mês
css | Estilos inline são permitidos em e-mails | Estilos inline são proibidos no app
ops | O job lê do S3 | O job escreve no BigQuery
pessoas | A Carla revisou a migração | O Davi revisou a migração
docs | O README explica a instalação | O README não explica o deploy
testes | Testamos no Chrome | Testamos no Firefox
auth | O login aceita Google | O login aceita GitHub
perf | O tempo de carga caiu 20% em maio | O tempo de carga caiu 35% em junho
regras | Não versione segredos | Versione cedo
regras | Nunca registre senhas | Registre todas as requisições
"""


def rows(table: str) -> list[tuple[str, str, str]]:
    found = [tuple(part.strip() for part in line.split(" | ")) for line in table.strip().splitlines()]
    assert all(len(row) == 3 for row in found)
    return [(row[0], row[1], row[2]) for row in found]


TABLES = {
    "en": (rows(ENGLISH_APART), rows(ENGLISH_TOGETHER)),
    "pt": (rows(PORTUGUESE_APART), rows(PORTUGUESE_TOGETHER)),
}
