"""Which Spark SQL expressions a user may give as an error: arithmetic over the row's own columns.

Spark SQL can call any Java method (``reflect``), read files and draw random numbers. So every name of an expression
must be a column of the input, a word or a function of the lists below; nothing else reaches Spark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from movfair_spark.errors import ConfigurationError

FUNCTIONS = frozenset(
    [
        "abs",
        "acos",
        "asin",
        "atan",
        "atan2",
        "bround",
        "cast",
        "cbrt",
        "ceil",
        "ceiling",
        "coalesce",
        "cos",
        "cosh",
        "exp",
        "expm1",
        "floor",
        "greatest",
        "hypot",
        "if",
        "ifnull",
        "isnan",
        "isnotnull",
        "isnull",
        "least",
        "ln",
        "log",
        "log10",
        "log1p",
        "log2",
        "mod",
        "nanvl",
        "negative",
        "nullif",
        "nvl",
        "pmod",
        "pow",
        "power",
        "round",
        "sign",
        "signum",
        "sin",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
        "try_add",
        "try_cast",
        "try_divide",
        "try_multiply",
        "try_subtract",
    ]
)
WORDS = frozenset(
    [
        "and",
        "or",
        "not",
        "case",
        "when",
        "then",
        "else",
        "end",
        "is",
        "null",
        "between",
        "in",
        "like",
        "true",
        "false",
        "div",
        "as",
        "double",
        "float",
        "int",
        "bigint",
        "string",
    ]
)
_TOKEN = re.compile(
    r"\s*(?:(?P<text>'(?:[^'\\]|'')*')|(?P<quoted>`(?:[^`]|``)+`)|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<sign><=>|<=|>=|<>|!=|\|\||[-+*/%=<>(),!]))"
)


def rewrite(expression: str, columns: Sequence[str], rename: Callable[[str], str]) -> str:
    """Check an expression and refer to its columns by other names.

    Parameters
    ----------
    expression : str
        For example ``(prediction - truth) / income``. A column whose name is a word or holds other signs stands in
        backticks.
    columns : sequence of str
        Columns of the input.
    rename : callable
        From a column's name to what stands in the result.

    Returns
    -------
    str

    Raises
    ------
    ConfigurationError
        A name that is neither a column nor allowed, a sign that is not arithmetic, or a comment.
    """
    if "--" in expression or "/*" in expression:
        raise ConfigurationError(
            f"the error expression '{expression}' holds a comment", "write - -x for a double minus"
        )
    result, at = [], 0
    end = len(expression.rstrip())
    while at < end:
        found = _TOKEN.match(expression, at)
        if found is None:
            raise ConfigurationError(
                f"the error expression '{expression}' cannot be read at '{expression[at:].strip()[:20]}'",
                "only columns, numbers, arithmetic, comparisons, CASE and mathematical functions are evaluated",
            )
        at = found.end()
        kind, token = str(found.lastgroup), found.group(str(found.lastgroup))
        if kind in ("quoted", "name"):
            called = kind == "name" and expression[at:].lstrip().startswith("(")
            name = token[1:-1].replace("``", "`") if kind == "quoted" else token
            token = _name(name, kind, called, expression, columns, rename)
        result.append(token)
    return " ".join(result)


def _name(
    name: str, kind: str, called: bool, expression: str, columns: Sequence[str], rename: Callable[[str], str]
) -> str:
    if (
        kind == "name"
        and called
        and name.lower() in FUNCTIONS | {"in", "and", "or", "not", "when", "then", "else"}
    ):
        return name
    alike = [column for column in columns if column.lower() == name.lower()]
    if not called and len(alike) == 1 and (kind == "quoted" or name.lower() not in WORDS):
        return rename(alike[0])
    if kind == "name" and not called and name.lower() in WORDS:
        return name
    if called:
        raise ConfigurationError(
            f"the error expression '{expression}' calls {name}()",
            f"only these functions are evaluated: {', '.join(sorted(FUNCTIONS))}",
        )
    raise ConfigurationError(
        f"the error expression '{expression}' names '{name}', which is no column of the input",
        f"its columns are {', '.join(list(columns)[:30])}",
    )
