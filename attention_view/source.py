"""The real source of a function, as a page shows it."""

import inspect
import re
from collections.abc import Callable
from html import escape


def source(*functions: Callable[..., object]) -> str:
    """The source of functions as HTML, their docstrings set back, each in a region that a keyboard can scroll."""
    return "".join(_listing(function) for function in functions)


def _listing(function: Callable[..., object]) -> str:
    text = escape(inspect.getsource(function), quote=False)
    text = re.sub(r'""".*?"""', lambda docstring: f"<span>{docstring[0]}</span>", text, flags=re.DOTALL)
    name = f"{function.__module__}.{function.__qualname__}"
    return f'<pre class="av-source" tabindex="0" role="region" aria-label="Source of {name}"><code>{text}</code></pre>'
