"""Things of which a project has one at a time where it says no more: a relational database, an indentation, a chat.

Names are canonical (:func:`canonical` writes ``Postgres`` and ``GitHub Actions`` as one word each); words of English and
Portuguese stand as stems of their language, so the tables hold words and :func:`exclusive` looks both up.
"""

# ruff: noqa: E501  (tables and patterns read better on long lines)

from __future__ import annotations

import re
from functools import cache

from arandu_lab.pure.stems import stem
from arandu_lab.pure.text import fold


def canonical(text: str) -> str:
    """A text in which each known product is one word.

    >>> canonical("We use Postgres and GitHub Actions on k8s")
    'We use PostgreSQL and GithubActions on Kubernetes'
    """
    return _SPELLED.sub(lambda found: _SPELLINGS[" ".join(re.split(r"[\s.-]+", fold(found[0])))], text)


def exclusive(one: str, other: str) -> bool:
    """Whether two keys (stems, or names folded) are different values of one kind, of which a project has one.

    >>> exclusive("postgresql", "mysql"), exclusive("python", "docker"), exclusive("postgresql", "redis")
    (True, False, False)
    """
    return one != other and bool(_kinds(_ONE).get(one, frozenset()) & _kinds(_ONE).get(other, frozenset()))


def opposite(one: str, other: str) -> bool:
    """Whether two keys are words for states that nothing is in at once.

    >>> opposite(stem("enabled", "en"), stem("disabled", "en")), opposite(stem("obrigatória", "pt"), stem("opcional", "pt"))
    (True, True)
    """
    mine, theirs = _sides().get(one, frozenset()), _sides().get(other, frozenset())
    return any((pair, 1 - side) in theirs for pair, side in mine)


def known(key: str) -> bool:
    """Whether a key is a value of any kind here: languages and other things that may stand side by side too.

    >>> known("python"), known("mysql"), known("quiet")
    (True, True, False)
    """
    return key in _kinds(_ONE) or key in _kinds(_MANY)


_SPELLINGS = {
    spelled: right
    for line in """PostgreSQL: postgres, postgre sql, psql, pgsql, pg | MySQL: my sql | MongoDB: mongo, mongo db
    | SQLServer: sql server, mssql, ms sql | DynamoDB: dynamo db, dynamo | MariaDB: maria db
    | GithubActions: github actions, gh actions | GitlabCI: gitlab ci, gitlab ci/cd | CircleCI: circle ci | TravisCI: travis ci, travis
    | AzureDevops: azure devops, azure pipelines | AWS: amazon web services | GCP: google cloud, google cloud platform
    | Azure: microsoft azure | Kubernetes: k8s | JavaScript: js, java script | TypeScript: ts | Golang: go lang
    | CSharp: c# | Cpp: c++ | NextJS: next js | VueJS: vue, vue js | ReactJS: react, react js | NodeJS: node, node js
    | Teams: microsoft teams, ms teams | VSCode: vs code, visual studio code | Meet: google meet | camelCase: camel case
    | snake_case: snake case | kebab-case: kebab case | trunkbased: trunk based, trunk based development | GitFlow: git flow
    | monorepo: mono repo | multirepo: multi repo, polyrepo, poly repo | OpenAPI: open api | RabbitMQ: rabbit mq
    | light-mode: light mode, modo claro | dark-mode: dark mode, modo escuro | JUnit: junit 5 | OAuth: oauth2""".split(
        "|"
    )
    for right, names in [line.strip().split(": ")]
    for spelled in names.split(", ")
}
_SPELLED = re.compile(
    r"(?<![\w-])(?:"
    + "|".join(re.escape(name).replace(r"\ ", r"[\s.-]?") for name in sorted(_SPELLINGS, key=len, reverse=True))
    + r")(?![\w-])",
    re.IGNORECASE,
)
_SPELLINGS |= {name.replace(" ", ""): right for name, right in list(_SPELLINGS.items())}

_ONE = """postgresql mysql sqlite mariadb oracle sqlserver cockroachdb | mongodb couchdb dynamodb | kafka rabbitmq sqs nats pulsar
| aws azure gcp heroku digitalocean | jenkins githubactions gitlabci circleci travisci azuredevops buildkite | npm yarn pnpm bun
| pip poetry uv pipenv conda | black ruff yapf autopep8 | prettier biome | flake8 pylint | pytest unittest nose | jest vitest mocha jasmine
| reactjs vuejs angular svelte ember | django flask fastapi | webpack vite rollup parcel esbuild | jira linear trello asana shortcut
| slack teams discord mattermost | github gitlab bitbucket | git mercurial svn subversion | zoom meet webex | rest graphql grpc soap
| tabs spaces tabulações espaços | camelcase snake_case kebab-case pascalcase | gitflow trunkbased | squash rebase
| mit apache gpl bsd proprietary proprietária | scrum kanban | monorepo multirepo | semver calver | terraform pulumi cloudformation
| datadog grafana newrelic | maven gradle | elasticsearch opensearch solr | kubernetes nomad swarm ecs | redux mobx zustand
| daily weekly monthly quarterly yearly biweekly hourly nightly | diariamente semanalmente mensalmente trimestralmente anualmente quinzenalmente
| diário semanal mensal trimestral anual quinzenal | diária semanal | main master develop trunk | json xml yaml toml | dark-mode light-mode
| jwt cookies sessions | utf-8 latin-1 | ubuntu debian alpine fedora centos | selenium cypress playwright | dollars euros reais | auth0 okta cognito keycloak
| english portuguese spanish french german | inglês português espanhol francês alemão | metric imperial | ssh https | sentry rollbar bugsnag | figma sketch"""
"""Kinds of which one is used at a time."""

_MANY = """python golang rust java javascript typescript ruby php kotlin swift scala csharp cpp elixir haskell perl
| redis memcached | docker podman | linux windows macos | chrome firefox safari | vim emacs vscode | go"""

_OPPOSITES = """enabled/disabled required/optional mandatory/optional allowed/forbidden allowed/prohibited allowed/banned
permitted/forbidden permitted/prohibited allow/forbid permit/forbid allow/prohibit allow/ban synchronous/asynchronous sync/async public/private open/closed stable/unstable manual/automatic
manual/automated manually/automatically encrypted/unencrypted encrypted/plaintext stateful/stateless passes/fails passing/failing
true/false on/off with/without before/after internal/external mutable/immutable strict/lenient supported/unsupported
sensitive/insensitive ascending/descending active/inactive approved/rejected blocking/nonblocking free/paid safe/unsafe
shared/dedicated single/double serial/parallel sequential/parallel sequentially/concurrently local/remote temporary/permanent up/down
centralized/decentralized deprecated/recommended valid/invalid available/unavailable online/offline mutable/readonly hot/cold
fast/slow faster/slower high/low higher/lower big/small large/small long/short longer/shorter early/late earlier/later
rápido/lento rápida/lenta alto/baixo alta/baixa grande/pequeno grande/pequena longo/curto longa/curta cedo/tarde
habilitado/desabilitado habilitada/desabilitada ativado/desativado ativada/desativada ligado/desligado ligada/desligada
obrigatório/opcional obrigatória/opcional permitido/proibido permitida/proibida liberado/bloqueado liberada/bloqueada
síncrono/assíncrono síncrona/assíncrona público/privado pública/privada aberto/fechado aberta/fechada estável/instável
manual/automático manual/automática manualmente/automaticamente passa/falha passam/falham com/sem antes/depois interno/externo
interna/externa ativo/inativo ativa/inativa aprovado/rejeitado aprovada/rejeitada gratuito/pago gratuita/paga seguro/inseguro
válido/inválido disponível/indisponível temporário/permanente local/remoto local/remota sequencial/paralelo simples/duplas
verdadeiro/falso verdadeira/falsa presencial/remoto presencial/remota crescente/decrescente criptografado/aberto mutável/imutável"""


def keys(word: str) -> frozenset[str]:
    """The keys under which a word of a table is found: itself folded, and its stems."""
    return frozenset((fold(word), stem(word, "en"), stem(word, "pt")))


@cache
def _kinds(table: str) -> dict[str, frozenset[int]]:
    found: dict[str, frozenset[int]] = {}
    for kind, line in enumerate(table.split("|")):
        for word in line.split():
            for key in keys(word):
                found[key] = found.get(key, frozenset()) | {kind}
    return found


@cache
def _sides() -> dict[str, frozenset[tuple[int, int]]]:
    found: dict[str, frozenset[tuple[int, int]]] = {}
    for number, pair in enumerate(_OPPOSITES.split()):
        for side, word in enumerate(pair.split("/")):
            for key in keys(word):
                found[key] = found.get(key, frozenset()) | {(number, side)}
    return found
