// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"

namespace rankwright::inline cluster {

/// The cluster on this machine: its profile's name in the catalogue.
inline constexpr const char16_t* practiceName = u"practice";
/// The profile that states no hardware and no limits, so that it fits any Slurm cluster.
inline constexpr const char16_t* anyClusterName = u"generic";

/// Reads one profile. `name` is for messages (file name). Error: JSON path, what is wrong, what to do.
Result<ClusterProfile> readClusterProfile(const QByteArray& json, const QString& name);

/// Takes out the lines of scripts that do not say for what they hold, where that stands and when it was read. Done with
/// the program's own files; what a user puts into a file is the user's word.
void dropUnproven(ClusterProfile& profile);

/// All profiles known: built in (":/catalogue/*.json"), then `userFolder` (same name replaces the built-in one).
/// A file that cannot be read never hides the others: its error is in `faults`.
struct Catalogue {
    QList<ClusterProfile> clusters; ///< built-in ones by their `order`, the user's own last
    QList<Error> faults;
    QList<Error> warnings; ///< files that were read but hold members that the program does not know

    const ClusterProfile* find(const QString& name) const;
    QStringList names() const;
    bool operator==(const Catalogue&) const = default;
};
Catalogue loadCatalogue(const QString& userFolder = {});

/// Of what is installed in a node as much as any site leaves to jobs, at the least: 446 of 512 GiB (Dardel).
inline constexpr double leastUsableMemory = 0.87;

/// Memory of a node for each GPU, in bytes, where a built-in site has the least of it with such GPUs ("A100 80 GB": all
/// with the same first word). Empty: no site with them publishes it.
std::optional<double> leastHostBytesPerGpu(const QString& gpuModel);

} // namespace rankwright::inline cluster
