"""One small file a peer."""

from benchmarks.peers.peer import Peer
from benchmarks.peers.programs.all_pairs import AllPairs
from benchmarks.peers.programs.kd_tree import KDTree
from benchmarks.peers.programs.mesa_agents import MesaAgents
from benchmarks.peers.programs.numba_loops import NumbaLoops
from benchmarks.peers.programs.panda_ai import PandaAI
from benchmarks.peers.programs.plain_objects import PlainObjects
from benchmarks.peers.programs.reciprocal import RVO2
from benchmarks.peers.programs.social_force import SocialForce
from benchmarks.peers.programs.steersman_world import Steersman
from benchmarks.peers.programs.yuka_node import Yuka


def everybody(threads: int) -> list[Peer]:
    """Ours first, by one thread and by so many, then the others."""
    ours = [Steersman(1)] + [Steersman(threads)] * (threads > 1)
    others = [
        PlainObjects(),
        AllPairs(),
        KDTree(),
        NumbaLoops(),
        MesaAgents(),
        Yuka(),
        PandaAI(),
        RVO2(),
        SocialForce(),
    ]
    return [*ours, *others]
