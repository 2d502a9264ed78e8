"""Give every mortgage application the chance that a straight line through longitude and latitude predicts for it.

python lending_errors.py lar_2021.csv.gz errors.csv
movfair spatial --config lending_errors.yaml --set input.path=errors.csv --output run
"""

import sys

import numpy as np
import pandas as pd


def predicted(data: pd.DataFrame) -> pd.Series:
    """Least squares of the outcome on longitude and latitude."""
    known = np.column_stack([np.ones(len(data)), data["lon"], data["lat"]])
    weights, *_ = np.linalg.lstsq(known, data["approved"].to_numpy(dtype=float), rcond=None)
    return pd.Series(known @ weights, index=data.index).round(6)


if __name__ == "__main__":
    table = pd.read_csv(sys.argv[1])
    table.assign(predicted=predicted(table)).to_csv(sys.argv[2], index=False)
