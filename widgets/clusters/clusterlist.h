// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/catalogue.h"
#include "models/cluster/remote/linkinfo.h"

#include <QListView>

class QStandardItemModel;

namespace rankwright {

/// The clusters of the catalogue, practice first, each with its connection's state as a shape and a word.
class ClusterList final : public QListView {
    Q_OBJECT
public:
    explicit ClusterList(const Catalogue& catalogue, QWidget* parent = nullptr);
    /// Shows another catalogue, all offline; what was selected stays selected if it is there.
    void setCatalogue(const Catalogue& catalogue);

    void showLink(const LinkInfo& link);
    void select(const QString& cluster);
    QString selected() const;

signals:
    void chosen(const QString& cluster);

private:
    QStandardItemModel* m_items = nullptr;
    bool m_filling = false;
};

} // namespace rankwright
