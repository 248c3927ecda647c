// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace rankwright::inline script {

/// An option of sbatch or srun as sbatch(1) and srun(1) of Slurm 22.05 list it, with those that later versions and the
/// container plugins pyxis and shifter add.
struct SlurmOption {
    enum class Argument { None, Required, Optional };
    enum class Of { Sbatch, Srun, Both };
    QString name; ///< long, without dashes: "nodes"
    QChar letter; ///< 'N'; null: none
    Argument argument = Argument::Required;
    Of of = Of::Both;
    bool plugin = false; ///< known only where a plugin is installed

    bool takes(Of command) const { return of == Of::Both || of == command; }
};

const QList<SlurmOption>& slurmOptions();

/// An option by its long name, an old name of it ("tasks-per-node"), or an unambiguous beginning of one, as
/// getopt_long(3) reads them. Null: no such option of that command.
const SlurmOption* findSlurmOption(const QString& name, SlurmOption::Of command);
const SlurmOption* findSlurmOption(QChar letter, SlurmOption::Of command);

/// Long names that begin with the text: several make an abbreviation ambiguous.
QStringList slurmOptionsBeginning(const QString& text, SlurmOption::Of command);

} // namespace rankwright::inline script
