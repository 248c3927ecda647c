// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logchoice.h"
#include "widgets/base/richtooltip.h"

#include <QSignalBlocker>

namespace rankwright {

namespace {

constexpr int rankRole = Qt::UserRole; // an item is a rank, a file, or neither
constexpr int fileRole = Qt::UserRole + 1;

std::optional<int> numberIn(const QVariant& value)
{
    return value.isValid() ? std::optional(value.toInt()) : std::nullopt;
}

} // namespace

LogChoice::LogChoice(QWidget* parent) : QComboBox(parent) { offer({}, {}); }

void LogChoice::offer(const QList<LogFileName>& files, const std::set<int>& ranks)
{
    const QSignalBlocker blocker(this);
    const std::optional<int> oldRank = rank();
    const std::optional<int> oldFile = file();
    clear();
    addItem(files.size() > 1 ? tr("all files") : tr("all ranks"));
    for (const LogFileName& name : files) {
        if (files.size() < 2)
            break;
        addItem(name.name);
        setItemData(count() - 1, name.file, fileRole);
        setItemData(count() - 1, richToolTip(name.path), Qt::ToolTipRole);
    }
    for (const int number : ranks)
        addItem(tr("rank %1").arg(number), number);
    chooseAll();
    if (oldRank)
        chooseRank(oldRank);
    else if (oldFile)
        chooseFile(*oldFile);
}

std::optional<int> LogChoice::rank() const { return numberIn(currentData(rankRole)); }

std::optional<int> LogChoice::file() const { return numberIn(currentData(fileRole)); }

void LogChoice::chooseRank(std::optional<int> rank) { setCurrentIndex(rank ? qMax(0, findData(*rank, rankRole)) : 0); }

void LogChoice::chooseFile(int file)
{
    const int place = findData(file, fileRole);
    if (place > 0)
        setCurrentIndex(place);
}

bool LogChoice::passes(const LogLine& line) const
{
    if (const auto wanted = file())
        return line.file == *wanted;
    const auto wanted = rank();
    return !wanted || !line.rank || line.rank == wanted;
}

} // namespace rankwright
