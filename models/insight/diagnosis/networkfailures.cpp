// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/diagnosisrules.h"

#include <iterator>

namespace rankwright {

namespace {

using Rule = DiagnosisRule;

// clang-format off
constexpr Rule networkTable[] = {
        {"port-in-use", "port_in_use", Rule::Cause,
            "address already in use|eaddrinuse|failed to listen on any local network address|port is already in use|port already in use",
            R"(Address already in use|EADDRINUSE|failed to listen on any local network address|port is already in use|port already in use)",
            R"(tensorboard|jupyter|dashboard|trying (?:the )?(?:next|another)|wandb|NCCL INFO)",
            "The port of the rendezvous is taken, mostly by another job on the node. Use another MASTER_PORT: derive it from the job id, as the design's script does.",
            "PyTorch c10d socket; errno(3): EADDRINUSE"},
        {"collective-timeout", "nccl_timeout", Rule::Communication,
            "collective operation timeout|nccl operations have failed|timeout at nccl|nccl work|monitoredbarrier|"
            "watchdog got stuck|watchdog thread terminated|timed out waiting for nccl|heartbeatmonitor|"
            "watchdog thread got stuck|collective timeout|timed out after|timed out waiting|"
            "application timeout caused pair closure|received a dump signal|enqueued collective",
            R"(Some NCCL operations have failed|Watchdog caught collective operation timeout|Timeout at NCCL work|monitoredBarrier.*(?:failed|timed out)|watchdog(?: thread)? got stuck|Watchdog caught.*time|collective (?:operation )?timed? ?out|Timed out waiting \d+ms for (?:recv|send)|Application timeout caused pair closure|dump signal .*timeout|Collective\w* .*timed out after)",
            R"(NCCL INFO|is set to)",
            "A rank waited for the others until the timeout: one of them was late, hung or gone. Look at the ranks that printed no such line; lengthen the timeout (init_process_group timeout=) only for work that is known to be long.",
            "PyTorch ProcessGroupNCCL"},
        {"rendezvous-timeout", "rendezvous_timeout", Rule::Communication,
            "rendezvoustimeout|clients joined|client socket has timed out|store based barrier|socket timeout|"
            "rendezvousconnectionerror|timed out after|tcpstore|deadline_exceeded|barrier timed out|rendezvousclosed|"
            "connection to the c10d store has failed|wait timeout after|failed to connect to coordinator|"
            "coordination service",
            R"(RendezvousTimeoutError|RendezvousConnectionError|RendezvousClosedError|clients joined|client socket has (?:timed out|failed)|store based barrier.*(?:timed out|timeout)|(?:wait|Socket) timeout|connection to the C10d store has failed|TCPStore.*(?:timed? ?out|failed|refused)|DEADLINE_EXCEEDED|failed to connect to coordinator)",
            R"(NCCL INFO|recvValue failed|sendBytes failed|heartbeat|\[W\d* )",
            "Not all ranks joined the rendezvous at MASTER_ADDR. Check that it is the first node of the job, that all nodes start the same number of ranks, and that WORLD_SIZE equals what srun starts; some sites need the address of the fast network.",
            "PyTorch elastic, rendezvous; TCPStore"},
        {"master-unreachable", "rendezvous_timeout", Rule::Communication, "connection refused|no route to host",
            R"(Connection refused|No route to host)",
            R"(NCCL|\[W\d* |MESSAGE_TASK_EXIT|ssh: |https?[:/]|port=(?:80|443)\b|HTTPS?Connection|wandb|retry|redis|mlflow)",
            "Rank 0 does not answer at MASTER_ADDR:MASTER_PORT. Check that it names the first node of the job and that rank 0 did start.",
            "errno(3): ECONNREFUSED"},
        {"master-unreachable-warned", "rendezvous_timeout", Rule::Communication,
            "client socket has failed to connect|cannot be retrieved (gai error",
            R"(\[W\d* .*\[c10d\].*(?:client socket has failed|cannot be retrieved))", "",
            "Rank 0 does not answer at MASTER_ADDR:MASTER_PORT. Check that it names the first node of the job and that rank 0 did start.",
            "PyTorch c10d socket", true},
        {"fabric-access", "nccl_error", Rule::Communication,
            "couldn't open a fabric access domain|default rgroup and vni|unable to open device|fi_domain|fi_getinfo|cxil_|cxi_|no eligible provider|ofi plugin",
            R"(Couldn't open a fabric access domain|fi_\w+.*(?:failed|error|Function not implemented)|NCCL WARN NET/OFI (?:No eligible|Failed|Couldn't|Unable|Only)|cxil?_\w+.*(?:failed|error))",
            R"(NCCL INFO)",
            "The ranks have no access to the Slingshot network. Start them by srun (not ssh or mpirun); on one node add --network=single_node_vni,job_vni.",
            "libfabric cxi provider; aws-ofi-nccl"},
        {"fabric-access-warned", "nccl_error", Rule::Communication, "default rgroup and vni|libfabric:",
            R"(Failed to find valid default rgroup and vni|libfabric:.*(?:error|failed))", "",
            "The ranks have no access to the Slingshot network. Start them by srun; on one node add --network=single_node_vni,job_vni.",
            "libfabric cxi provider", true},
        {"collective-system", "nccl_error", Rule::Communication,
            "nccl warn|ncclsystemerror|ncclinternalerror|unhandled system error|ncclinvalidusage|nccl error|ncclunhandledcudaerror|unhandled cuda error|rccl error|ncclinvalidargument|internal error - please report|got completion|ibv_",
            R"(NCCL WARN (?!.*(?:NCCL_|is deprecated|MPI_|Missing|will not|performance|numa balancing|fallback|falling back|iommu|libibverbs|wrap\.(?:cc|h):|gdrcopy|libnvidia-ml|topology detection|No device found|NUMA auto balancing))|ncclSystemError|ncclInternalError|ncclInvalid\w+|ncclUnhandledCudaError|unhandled (?:system|cuda) error|(?:NCCL|RCCL) error|Got completion .*error|ibv_\w+.*(?:failed|error))",
            R"(NCCL INFO|remote process exited|ncclRemoteError|[Cc]onnection closed|out of memory|Duplicate GPU|NCCL_ASYNC_ERROR|error handling)",
            "The collective library failed. Run once with NCCL_DEBUG=INFO; check NCCL_SOCKET_IFNAME against the site's interfaces and that all nodes run the same version.",
            "NCCL documentation, types and troubleshooting"},
        {"collective-peer", "nccl_error", Rule::Echo,
            "ncclremoteerror|remote process exited|connection closed by|connection reset by peer|broken pipe|"
            "recvvalue failed|sendbytes failed|failed to recv|socket closed|connection closed|failed check for heartbeat|"
            "remote task has failed|jax distributed service detected",
            R"(ncclRemoteError|remote process exited|Connection closed by (?:remote )?peer|Connection reset by peer|(?<!\[Errno 32\] )Broken pipe|recvValue failed|sendBytes failed|failed to recv|remote task has failed, got preempted|JAX distributed service detected fatal)",
            R"(NCCL INFO|\[W\d* |retry|BrokenPipeError: \[Errno 32\] Broken pipe$.*head|wandb|https?:)",
            "Another rank went away; look above for the one that failed first, and at the output of its node.",
            "NCCL documentation, ncclRemoteError"},
        {"collective-peer-warned", "nccl_error", Rule::Echo, "recvvalue failed|sendbytes failed|failed to recv",
            R"(\[W\d* .*(?:recvValue failed|sendBytes failed|failed to recv))", "",
            "Another rank went away; look above for the one that failed first, and at the output of its node.",
            "PyTorch TCPStore", true},
        {"credentials", "missing_credentials", Rule::Cause,
            "api_key not configured|no api key configured|401 client error|invalid user token|you must use 'wandb login'|wandb.errors.usageerror|call wandb.login|403 forbidden|permission denied (publickey",
            R"(api_key not configured|No API key configured|401 Client Error|Invalid user token|wandb\.errors\.(?:\w+\.)?UsageError|call wandb\.login\()",
            R"(warn|Gated|offline|RepositoryNotFound)",
            "A service requires a login that the job does not have. Log in once on the login node (huggingface-cli login, wandb login), or switch it off (WANDB_MODE=offline, HF_HUB_OFFLINE=1).",
            "Weights & Biases; Hugging Face Hub"},
        {"offline", "network_offline", Rule::Cause,
            "network is unreachable|name resolution|name or service not known|max retries exceeded|"
            "we couldn't connect to|couldn't reach|could not resolve host|failed to resolve|nodename nor servname|"
            "offlinemodeisenabled|outgoing traffic has been disabled|localentrynotfounderror|"
            "cannot find the requested files in the|urlopen error|getaddrinfo",
            R"(Network is unreachable|Temporary failure in name resolution|Name or service not known|Max retries exceeded with url|We couldn't connect to|Couldn't reach|Could not resolve host|Failed to resolve|OfflineModeIsEnabled|outgoing traffic has been disabled|LocalEntryNotFoundError|cannot find the requested files in the (?:disk cache|cached path|local cache)|urlopen error)",
            R"(NCCL|\bc10d\b|socket\.cpp|TCPStore|MASTER_ADDR|wandb|\bretry|warn|thrown while requesting|ssh: )",
            "The compute node has no internet access. Download model and data on the login node first, then set HF_HOME to that folder and HF_HUB_OFFLINE=1.",
            "Hugging Face, offline mode"},
        {"offline-warned", "network_offline", Rule::Cause,
            "network is unreachable|name resolution|max retries exceeded|failed to resolve|wandb",
            R"(Network is unreachable|name resolution|Failed to resolve|Max retries exceeded|wandb.*(?:Network error|CommError))",
            R"(NCCL|\bc10d\b|socket\.cpp)",
            "The compute node has no internet access. Download before, and set HF_HUB_OFFLINE=1 (and WANDB_MODE=offline).",
            "Hugging Face, offline mode", true},
        {"master-name", "rendezvous_timeout", Rule::Communication,
            "name or service not known|name resolution|failed to resolve",
            R"((?:c10d|socket\.cpp|TCPStore|MASTER_ADDR).*(?:Name or service not known|name resolution|resolve))",
            R"(NCCL|\[W\d* )",
            "The name in MASTER_ADDR is not known on the nodes. Take the first name of scontrol show hostnames $SLURM_JOB_NODELIST.",
            "PyTorch c10d socket"},
        {"node-login", "ssh_error", Rule::Communication,
            "host key verification failed|permission denied (publickey|ssh exited with exit code|unable to reliably start one or more daemons",
            R"(Host key verification failed|Permission denied \(publickey|ssh exited with exit code 255|reliably start one or more daemons)",
            "",
            "The launcher cannot log in to another node of the job. Start the ranks by srun, or set up keys between the nodes (site's documentation).",
            "DeepSpeed multi-node launch; Open MPI"},
        {"interface", "nccl_error", Rule::Cause,
            "no socket interface found|no interface found|could not find interface|unable to find address for|can't find interface",
            R"(no (?:socket )?interface found|could not find interface|Unable to find address for|can't find interface)",
            R"(NCCL INFO)",
            "The network interface named by NCCL_SOCKET_IFNAME (or GLOO_SOCKET_IFNAME) does not exist here. Use the site's name, for instance hsn0,hsn1,hsn2,hsn3 on Slingshot.",
            "NCCL environment variables; Gloo"},
};
// clang-format on

} // namespace

const QList<DiagnosisRule>& networkRules()
{
    static const QList<DiagnosisRule> rules(std::begin(networkTable), std::end(networkTable));
    return rules;
}

bool isLostPeerRule(const QString& id) { return id.startsWith(u"collective-peer"); }

} // namespace rankwright
