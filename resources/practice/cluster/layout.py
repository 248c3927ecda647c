"""What the practice cluster looks like: nodes, partitions, users, projects, paths as seen on it."""

LOGIN = "uan01"
CLUSTER = "practice"
SUBNET = "10.120.5"
BRIDGE_ADDRESS = SUBNET + ".254"
USER = "ada"
OTHER_USER = "bob"
ACCOUNT = "project_465000001"        # ada's project
SPENT_ACCOUNT = "project_465000002"  # ada's too, but its GPU minutes are used up
FOREIGN_ACCOUNT = "project_465000009"  # bob's
NO_ACCOUNT = "no_project"            # default account, allowed in no partition: --account must be given
RESERVATION = "workshop"
RESERVED_NODE = "nid005003"
INSIDE = "/run/practice"             # the state folder as the nodes see it
UIDS = {"ada": 327001, "bob": 327002}
DEVICE_MAJOR = {"mi250": 120, "a100": 121}   # numbers the kernel keeps for local use: no driver answers


def _lumi(number):
    return {"name": "nid%06d" % (5000 + number), "kind": "lumi-g", "gpus": 8, "gpuType": "mi250", "cores": 56,
            "coresTotal": 64, "sockets": 1, "memoryMiB": 491520, "address": "%s.%d" % (SUBNET, 10 + number),
            "interface": "hsn0"}


def _mahti(number):
    return {"name": "g%d" % (1100 + number), "kind": "a100", "gpus": 4, "gpuType": "a100", "cores": 128,
            "coresTotal": 128, "sockets": 2, "memoryMiB": 501760, "address": "%s.%d" % (SUBNET, 20 + number),
            "interface": "ib0"}


NODES = [_lumi(1), _lumi(2), _lumi(3), _mahti(1), _mahti(2)]
LOGIN_NODE = {"name": LOGIN, "kind": "login", "gpus": 0, "gpuType": "", "cores": 0, "coresTotal": 0, "sockets": 0,
              "memoryMiB": 0, "address": SUBNET + ".1", "interface": "hsn0"}
ALL_NODES = [LOGIN_NODE] + NODES

PARTITIONS = [
    {"name": "small-g", "nodes": "nid00500[1-3]", "maxTime": "3-00:00:00", "maxNodes": 4, "exclusive": False, "qos": ""},
    {"name": "standard-g", "nodes": "nid00500[1-2]", "maxTime": "2-00:00:00", "maxNodes": 1024, "exclusive": True,
     "qos": ""},
    {"name": "dev-g", "nodes": "nid00500[1-2]", "maxTime": "03:00:00", "maxNodes": 32, "exclusive": False,
     "qos": "dev-g"},
    {"name": "gpumedium", "nodes": "g110[1-2]", "maxTime": "1-12:00:00", "maxNodes": 6, "exclusive": False, "qos": ""},
]


SHAPE = None   # a shape.Shape: the partitions and (declared) nodes of a site instead of those above


def take(shape):
    """From here on the cluster looks like the site: its nodes are declared only, its account is the one to use."""
    global SHAPE, NODES, ALL_NODES, PARTITIONS, ACCOUNT
    SHAPE, NODES, ALL_NODES = shape, [], [LOGIN_NODE]
    PARTITIONS = [{"name": name} for name in shape.partitions()]
    ACCOUNT = shape.account


def node(name):
    """The description of the node called name, or None."""
    for entry in ALL_NODES:
        if entry["name"] == name:
            return entry
    return None


def device_files(entry):
    """Paths of the GPU device stand-ins on a node, in GPU order."""
    if entry["gpuType"] == "mi250":
        return ["/dev/dri/renderD%d" % (128 + i) for i in range(entry["gpus"])]
    return ["/dev/nvidia%d" % i for i in range(entry["gpus"])]


def scratch(account, user):
    return "/scratch/%s/%s" % (account, user)
