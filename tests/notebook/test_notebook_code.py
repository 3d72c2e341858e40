"""A cell becomes Python line for line, with IPython's transformer and without it."""

import ast

import pytest

from autograder.loading import notebook_code
from autograder.loading.notebook_code import Cells


@pytest.fixture(params=["with IPython", "without IPython"])
def cells(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Cells:
    """Cells of a fresh notebook."""
    if request.param == "without IPython":
        monkeypatch.setattr(notebook_code, "_transformer", lambda: None)
    return Cells()


#: What is written, what runs, and what is told to be left out.
CELLS = {
    "plain Python": ("x = 1\n\n\ny = 2", "x = 1\n\n\ny = 2", []),
    "a line magic": ("%matplotlib inline\nx = 1", "pass\nx = 1", [(1, "%matplotlib inline")]),
    "a shell line in a block": (
        "def f():\n    !ls\n    return 1",
        "def f():\n    pass\n    return 1",
        [(2, "!ls")],
    ),
    "help": ("np.exp?\n?np.exp\nx = 1", "pass\npass\nx = 1", [(1, "np.exp?"), (2, "?np.exp")]),
    "an assigned shell line": ("files = !ls\nx = 1", "files = None\nx = 1", [(1, "files = !ls")]),
    "a magic over two lines": (
        "!pip install \\\n  scipy\nfiles = !ls\nx = 1",
        "pass\n\nfiles = None\nx = 1",
        [(1, "!pip install \\"), (3, "files = !ls")],
    ),
    "a shell line with half a string": ("!echo it's\nx = 1", "pass\nx = 1", [(1, "!echo it's")]),
    "per cent in brackets at the start of a line": ("x = (7\n% 4)", "x = (7\n% 4)", []),
    "a magic in a string": ("s = '''\n%time\n!ls\n'''", "s = '''\n%time\n!ls\n'''", []),
    "a timed cell": (
        "\n%%time\ndef f():\n    return 1",
        "\n\ndef f():\n    return 1",
        [(2, "%%time")],
    ),
    "two cell magics": ("%%capture out\n%%time\nx = 1", "\n\nx = 1", [(1, "%%capture out"), (2, "%%time")]),
    "a cell of another language": ("%%bash\nls\necho x", "\n\n", [(None, "%%bash")]),
    "a file that is written": ("%%writefile a.py\nx = 1", "\n", [(None, "%%writefile a.py")]),
    "an exported magic": (
        "get_ipython().run_line_magic('matplotlib', 'inline')\nx = 1",
        "pass\nx = 1",
        [(1, "get_ipython().run_line_magic('matplotlib', 'inline')")],
    ),
    "an exported magic over lines": (
        "if 1:\n    get_ipython().run_cell_magic(\n        'bash'\n    ); x = 1",
        "if 1:\n    pass\n\n    x = 1",
        [(2, "get_ipython().run_cell_magic(")],
    ),
    "an indented cell": ("    x = 1\n    y = 2", "x = 1\ny = 2", []),
    "a cell copied from a prompt": (">>> x = 1\n>>> y = 2", "x = 1\ny = 2", []),
    "our own check": (
        "from autograder.notebook import check as test\ntest(f)\nr = test(f); z = 2",
        "pass\npass\nr = None; z = 2",
        [],
    ),
    "our own magic": ("%load_ext autograder.notebook\n%autograder f\nx = 1", "pass\npass\nx = 1", []),
    "a syntax error stays as it is": ("%time f(3)\ndef broken(:\n  pass", None, []),
}


@pytest.mark.parametrize("name", CELLS)
def test_a_cell_becomes_python_on_the_same_lines(name: str, cells: Cells) -> None:
    written, expected, left = CELLS[name]
    actual, told = cells.plain(written)

    assert actual == (written if expected is None else expected)
    assert list(told) == left
    assert actual.count("\n") == written.count("\n")


def test_a_check_imported_in_one_cell_is_known_in_the_next(cells: Cells) -> None:
    cells.plain("from autograder.notebook import check")

    assert cells.plain("for f in (1, 2):\n    check(f)")[0] == "for f in (1, 2):\n    pass"


def test_a_function_called_check_of_the_students_own_is_called(cells: Cells) -> None:
    text = "def check(x):\n    return x\ncheck(1)"

    assert cells.plain(text) == (text, ())


def test_cells_of_nothing_but_magics_cost_a_notebook_a_bounded_amount_of_work(cells: Cells) -> None:
    """What is over the budget stays as it is, a syntax error, and nothing hangs."""
    work = [cells.plain("%x\n" * 2000)[0] for _ in range(4)]

    assert work[-1] == "%x\n" * 2000


def test_what_ipython_makes_of_a_cell_is_python(cells: Cells) -> None:
    text, _ = cells.plain("%matplotlib inline\na, b = 1, 2\n!ls {a}\nc = %who\n")

    ast.parse(text)
    assert text.split("\n")[1] == "a, b = 1, 2"
