"""Networks on a device of PyTorch, against those of NumPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import puzzlekit
from puzzlekit_lab.learned import load_trained
from puzzlekit_lab.learning import Training

torch = pytest.importorskip("torch")
torch.set_num_threads(1)  # threads that wait for each other take ten times the time on busy cores
pytestmark = pytest.mark.slow


def trained(name: str, steps: int, device: str | None = "cpu") -> Training:
    training = Training(puzzlekit.load(name), hidden=(64, 32), device=device)
    for _ in training.run(steps=steps):
        pass
    return training


@pytest.mark.parametrize("name", ["cube2", "pyraminx", "topspin-7-3"])
def test_states_are_rated_alike(name: str) -> None:
    training = trained(name, 60)
    states = training.arrays.walks([*range(30)] * 20, np.random.default_rng(1))
    there = training.network
    here = training.result()
    here.weights["value"] /= training._scale
    np.testing.assert_allclose(here.values(states), there.values(states), atol=1e-5)
    np.testing.assert_allclose(here.log_shares(states), there.log_shares(states), atol=1e-4)


def test_steps_adapt_alike() -> None:
    """Adam adds its epsilon elsewhere there, so that some weights drift apart."""
    there, here = trained("cube2", 4), trained("cube2", 4, None)
    assert there.hits == pytest.approx(here.hits, abs=0.01)
    assert there.error == pytest.approx(here.error, rel=0.01)
    for name, weights in there.result().weights.items():
        np.testing.assert_allclose(weights, here.result().weights[name], atol=0.01)


@pytest.mark.parametrize("gpu", [None, "cpu"])
def test_a_network_is_used_with_and_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gpu: str | None
) -> None:
    path = tmp_path / "cube2.network"
    network = trained("cube2", 400).result()
    assert network.about["device"] == "cpu" and network.about["hits"] > 0.3
    network.save(path)
    monkeypatch.setattr("puzzlekit_lab.network.find_gpu", lambda: gpu)
    solver = load_trained(path)
    for scramble in ("R U F2", "U R2 F' U2"):
        assert len(solver.solve(scramble)) <= len(scramble.split())
