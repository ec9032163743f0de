"""The layers of a network on a GPU, with PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from puzzlekit_lab.arrays import Floats
from puzzlekit_lab.views import Indices


def find_gpu() -> str | None:
    """Return PyTorch's name of the GPU; None if there is none, or no PyTorch."""
    if find_spec("torch") is None:
        return None
    import torch

    return "cuda" if torch.cuda.is_available() else None


class TorchLayers:
    """The weights of a `Network` on a device of PyTorch, which rates states and adapts there.

    Parameters
    ----------
    weights
        The weights, which are copied.
    device
        The name of the device, such as `cuda`.
    """

    def __init__(self, weights: Mapping[str, Floats], device: str) -> None:
        import torch

        self.name = device
        self._weights = {
            name: torch.tensor(each, device=device, requires_grad=True)
            for name, each in weights.items()
        }
        self._adam = torch.optim.Adam(self._weights.values())

    def weights(self) -> dict[str, Floats]:
        """Return the weights as they are now."""
        return {name: each.detach().cpu().numpy() for name, each in self._weights.items()}

    def _heads(self, columns: Indices, *names: str) -> list[Any]:
        import torch

        each = self._weights
        active = torch.from_numpy(columns.T).to(self.name)
        one = torch.nn.functional.embedding_bag(active, each["first"], mode="sum")
        one = torch.relu(one + each["first_bias"])
        two = torch.relu(one @ each["second"] + each["second_bias"])
        return [two @ each[name][:-1] + each[name][-1] for name in names]

    def rate(self, columns: Indices, head: str) -> Floats:
        """Return what a head says of some states, for their inputs that are one."""
        import torch

        with torch.inference_mode():
            (found,) = self._heads(columns, head)
            rated: Floats = found.cpu().numpy()
        return rated

    def step(
        self, columns: Indices, costs: Floats, undone: Indices, rate: float
    ) -> tuple[float, Floats]:
        """Make a step of Adam. `costs` are those of the first states, as `value` shall rate them.

        Returns the share of states whose last move was known, and the errors of the costs.
        """
        import torch

        policy, value = self._heads(columns, "policy", "value")
        wanted = torch.from_numpy(undone).to(self.name)
        errors = value[: len(costs), 0] - torch.from_numpy(costs).to(self.name)
        loss = torch.nn.functional.cross_entropy(policy, wanted) + (errors**2).mean()
        self._adam.zero_grad()
        loss.backward()
        for group in self._adam.param_groups:
            group["lr"] = rate
        self._adam.step()
        hits = (policy.argmax(dim=1) == wanted).float().mean()
        return float(hits), errors.detach().cpu().numpy()
