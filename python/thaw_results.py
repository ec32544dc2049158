"""Results of Thaw as pandas frames.

    import thaw_results
    frame = thaw_results.read("DIR")            # a folder that `thaw export` wrote
    frame = thaw_results.read("demo")           # an experiment, through the `thaw` program
    frame = thaw_results.read("postgresql://…", experiment="demo")

`table` names what is read: "runs" (the result table, the default), "rounds", "scores", "evaluations", "episodes", …; `tables`
lists all of a folder. Columns have pandas' nullable types, so that what is not measured (pandas.NA) stays apart from NaN;
`plain=True` gives numpy's types, in which both are NaN.
"""

from __future__ import annotations

import csv
import json
import os
import pathlib
import shlex
import subprocess
import tempfile
from typing import Any, Dict, List, Optional, Sequence, Union

import numpy
import pandas

__all__ = ["read", "tables", "ThawError"]
__version__ = "0.1.0"

MANIFEST = "thaw-export.json"
FORMATS = ("parquet", "csv", "json")


class ThawError(Exception):
    """The source is no export, or `thaw` could not write one."""


def read(
    source: Union[str, "os.PathLike[str]"],
    table: str = "runs",
    *,
    experiment: Optional[str] = None,
    plain: bool = False,
    format: Optional[str] = None,
    program: Union[str, Sequence[str], None] = None,
) -> pandas.DataFrame:
    """Reads a table of an export, of an experiment by its id, or of a database by its URL.

    experiment: which one of a database (default: the latest). format: which files of a folder (default: the first there is of
    parquet, csv and json). program: how `thaw` is called where it is needed; else the variable THAW says so, or it is `thaw`.
    """
    if (pathlib.Path(source) / MANIFEST).is_file():
        return _read_folder(pathlib.Path(source), table, plain, format)
    is_url = str(source).startswith(("postgres://", "postgresql://"))
    if not is_url and (os.sep in str(source) or pathlib.Path(source).is_dir()):
        raise ThawError(f"{source} is no folder that `thaw export` wrote: it has no {MANIFEST}")
    with tempfile.TemporaryDirectory(prefix="thaw-results-") as folder:
        name = (experiment or "@latest") if is_url else str(source)
        _export(name, folder, program, {"THAW_DATABASE_URL": str(source)} if is_url else {})
        return _read_folder(pathlib.Path(folder), table, plain, None)


def tables(folder: Union[str, "os.PathLike[str]"]) -> List[str]:
    """The names of the tables in a folder."""
    return list(_manifest(pathlib.Path(folder))["tables"])


def _export(name: str, folder: str, program: Union[str, Sequence[str], None], env: Dict[str, str]) -> None:
    called = program if program is not None else os.environ.get("THAW", "thaw")
    command = shlex.split(called) if isinstance(called, str) else list(called)
    command += ["export", name, folder, "--format", "csv", "-o", "json"]
    try:
        done = subprocess.run(command, env={**os.environ, **env}, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise ThawError(f"there is no program {command[0]}; name it: program=… or THAW=…") from error
    if done.returncode != 0:
        raise ThawError(done.stderr.strip() or f"{command[0]} ended with {done.returncode}")


def _manifest(folder: pathlib.Path) -> Dict[str, Any]:
    path = folder / MANIFEST
    if not path.is_file():
        raise ThawError(f"{folder} is no folder that `thaw export` wrote: it has no {MANIFEST}")
    manifest = json.loads(path.read_text(encoding="utf-8"))
    if not manifest["complete"]:
        raise ThawError(f"the export in {folder} is not whole: it is being written, or was cut short; export it again")
    return manifest


def _read_folder(folder: pathlib.Path, table: str, plain: bool, wanted: Optional[str]) -> pandas.DataFrame:
    manifest = _manifest(folder)
    if table not in manifest["tables"]:
        known = ", ".join(manifest["tables"]) or "none: export it as parquet, csv or json"
        raise ThawError(f"there is no table {table!r} in {folder}; there are {known}")
    columns = manifest["tables"][table]
    there = [name for name in FORMATS if name in manifest["formats"]]
    if wanted is not None and wanted not in there:
        raise ThawError(f"{folder} has no {wanted} files; it has {', '.join(there)}")
    chosen = wanted or there[0]
    path = folder / f"{table}.{chosen}"
    reader = {"parquet": _parquet_values, "csv": _csv_values, "json": _json_values}[chosen]
    kinds = {column["key"]: column["kind"] for column in columns}
    raw = reader(path, list(kinds))
    is_parsed = chosen == "json"
    return pandas.DataFrame({key: _column(kinds[key], values, plain, is_parsed) for key, values in raw.items()})


def _csv_values(path: pathlib.Path, keys: List[str]) -> Dict[str, List[Optional[str]]]:
    csv.field_size_limit(2**31 - 1)
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.reader(lines)
        if next(rows) != keys:
            raise ThawError(f"{path} has other columns than {MANIFEST} says")
        values: Dict[str, List[Optional[str]]] = {key: [] for key in keys}
        lists = list(values.values())
        for row in rows:
            for cells, cell in zip(lists, row):
                cells.append(None if cell == "" else cell)
    return values


def _json_values(path: pathlib.Path, keys: List[str]) -> Dict[str, List[Any]]:
    rows = json.loads(path.read_text(encoding="utf-8"))
    return {key: [row[key] for row in rows] for key in keys}


def _parquet_values(path: pathlib.Path, keys: List[str]) -> Dict[str, Any]:
    try:
        import pyarrow.parquet
    except ImportError:
        # Another reader, such as fastparquet: it gives NaN for what is not measured, too.
        frame = pandas.read_parquet(path)
        return {key: (frame[key].to_numpy(dtype=object), frame[key].isna().to_numpy()) for key in keys}
    columns = pyarrow.parquet.read_table(path)
    return {key: (_arrow_values(columns[key]), columns[key].is_null().to_numpy()) for key in keys}


def _arrow_values(column: Any) -> numpy.ndarray:
    import pyarrow

    if pyarrow.types.is_string(column.type) or pyarrow.types.is_timestamp(column.type):
        return column.to_pandas().to_numpy(dtype=object)
    # What is missing stands in the mask; a number in its place keeps the others as they are.
    return column.fill_null(False if pyarrow.types.is_boolean(column.type) else 0).to_numpy()


_NUMPY = {"int32": numpy.int64, "int64": numpy.int64, "double": numpy.float64}


def _column(kind: str, values: Any, plain: bool, is_parsed: bool) -> Any:
    """A column of what a file holds: texts of CSV, values of JSON, or arrays of Parquet with what is missing in them."""
    if isinstance(values, tuple):
        cells, missing = values
    else:
        cells, missing = values, numpy.array([value is None for value in values], dtype=bool)
    if kind in _NUMPY:
        return _numbers(kind, cells, missing, plain)
    if kind == "boolean":
        flags = cells if isinstance(cells, numpy.ndarray) else [value in ("true", True) for value in cells]
        known = numpy.array(flags, dtype=bool)
        return _plain(known, missing) if plain else pandas.arrays.BooleanArray(known, missing)
    if kind == "text":
        return _plain(numpy.array(cells, dtype=object), missing) if plain else pandas.array(cells, dtype="string")
    known = [None if gone else value for value, gone in zip(cells, missing)]
    if kind == "timestamp":
        return pandas.to_datetime(pandas.Series(known, dtype=object), utc=True)
    if kind == "json":
        # In a file of JSON they are read already.
        return pandas.Series([json.loads(v) if isinstance(v, str) and not is_parsed else v for v in known], dtype=object)
    raise ThawError(f"this version does not know columns of the kind {kind!r}")


def _plain(values: numpy.ndarray, missing: numpy.ndarray) -> numpy.ndarray:
    """Values that numpy has no missing one of: where one is missing they are objects, and NaN in its place."""
    return numpy.where(missing, numpy.nan, values.astype(object)) if missing.any() else values


def _numbers(kind: str, cells: Any, missing: numpy.ndarray, plain: bool) -> Any:
    """Numbers with a mask of what is missing, which numpy's floats can only show as NaN."""
    filled = numpy.array(cells, dtype=object) if not isinstance(cells, numpy.ndarray) else cells
    if missing.any():
        filled = numpy.where(missing, 0, filled)
    numbers = filled.astype(_NUMPY[kind])
    if plain:
        return numpy.where(missing, numpy.nan, numbers) if missing.any() else numbers
    masked = pandas.arrays.FloatingArray if kind == "double" else pandas.arrays.IntegerArray
    return masked(numbers, missing)
