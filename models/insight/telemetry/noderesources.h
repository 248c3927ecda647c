// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QString>

#include <array>
#include <optional>

namespace rankwright::inline insight {

/// Which counters of a node's network are read.
enum class NetworkKind : quint8 {
    InfiniBand, ///< port_rcv_data and port_xmit_data of the cards, RoCE as well: all that they carry
    Slingshot, ///< the cards' own counters of octets: all that they carry
    SlingshotInterfaces, ///< hsn0, hsn1 ...: not what passes the kernel by, which is most of a training's traffic
    Ethernet, ///< network cards of a node that has none of these
};

/// Whose share it is, or whose memory.
enum class ResourceScope : quint8 { Node, Job };

/// What a node has beside its GPUs and how it was used since the look before, some seconds ago. Empty: not reported,
/// never 0. Bytes; bytes a second; shares of the time between two looks, 0..1.
struct NodeResources {
    std::optional<NetworkKind> network;
    std::optional<int> links; ///< that are counted together
    std::optional<qint64> capacity; ///< of all links in one direction, bytes a second
    std::optional<qint64> received, sent; ///< bytes a second
    std::optional<int> processes; ///< of the job
    std::optional<int> waiting; ///< of these, in an uninterruptible wait (state D), but for those of a GPU's driver
    QString waitsIn; ///< the kernel's function in which one of them waits; empty: not told
    std::optional<ResourceScope> pressureOf; ///< whose the next two are
    std::optional<double> someWait, allWait; ///< some, or all, processes waited for input or output
    std::optional<ResourceScope> memoryOf; ///< whose the next four are
    std::optional<qint64> memoryLimit; ///< of the job on this node; empty: none below the node's memory
    std::optional<qint64> anonymous; ///< held by processes alone
    std::optional<qint64> shared; ///< shared memory and memory file systems: cannot be dropped either
    std::optional<qint64> cached; ///< page cache, `shared` included
    /// Page cache and processes' memory that lies in the memory of GPUs, because that is memory of the system (Grace
    /// Hopper, MI300A); empty: no memory is shared so.
    std::optional<qint64> onGpus;
    bool operator==(const NodeResources&) const = default;

    /// What the kernel gives back when it is asked for: the page cache without shared memory.
    std::optional<qint64> droppable() const;
    /// What processes hold and the kernel cannot give back.
    std::optional<qint64> held() const;
    /// Share of what the links can carry that they carried in their busier direction, 0..1; empty: not known, or the
    /// counters do not see the training's traffic.
    std::optional<double> linkShare() const;

    static constexpr std::size_t numberCount = 16;
    /// All but `waitsIn` as whole numbers, shares in thousandths, in the order of the members: for recordings.
    std::array<std::optional<qint64>, numberCount> numbers() const;
    /// What no node has (below 0, 1 EiB and more) is empty: a recording may come from anybody.
    static NodeResources ofNumbers(const std::array<std::optional<qint64>, numberCount>& numbers);
};

/// The name of a function of the kernel; empty: it is not one (letters, digits, _ and a point, at most 60).
QString kernelFunction(QByteArrayView name);

/// "InfiniBand, 4 links: 1.2 GB/s in, 1.1 GB/s out, 3 % of what they carry"; empty: nothing is known.
QString networkText(const NodeResources& resources);
/// "3 of 33 processes wait for files (cl_sync_io_wait); some waited 74 % of the time"; empty: nothing is known.
QString fileWaitText(const NodeResources& resources);
/// "the job holds 91 GiB of 120 GiB, page cache 27 GiB"; empty: nothing is known.
QString hostMemoryText(const NodeResources& resources);
/// "1.2 GB/s", "340 MB/s": powers of ten, as links are sold.
QString rateText(double bytesPerSecond);
/// The published word: "infiniband", "slingshot", "slingshot-interfaces", "ethernet"; "node", "job".
QString wordOf(NetworkKind kind);
QString wordOf(ResourceScope scope);

} // namespace rankwright::inline insight
