// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/catalogue.h"
#include "models/script/document/design.h"
#include "widgets/base/theme.h"
#include "widgets/design/designpage.h"

#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include <functional>
#include <memory>

namespace rankwright::test {

template <typename Widget>
Widget* fieldOf(QWidget& page, QLatin1StringView path)
{
    return page.findChild<Widget*>(path);
}

inline QPushButton* buttonOf(QWidget& page, const QString& text)
{
    for (auto* button : page.findChildren<QPushButton*>()) {
        if (button->text() == text)
            return button;
    }
    return nullptr;
}

inline void retype(QLineEdit* edit, const QString& text)
{
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, text);
}

/// A Design page of its own, with a design of two nodes of LUMI.
class ShownDesignPage {
protected:
    /// A new design and page, the design changed as said.
    void build(const std::function<void(JobSpec&)>& change = {})
    {
        m_host.reset();
        m_design = std::make_unique<Design>(m_catalogue);
        JobSpec spec;
        spec.name = QStringLiteral("llama");
        spec.cluster = QStringLiteral("lumi");
        spec.account = QStringLiteral("project_465000001");
        spec.resources.nodes = 2;
        spec.time = Seconds{12 * 3600};
        spec.command = QStringLiteral("train.py");
        spec.training.globalBatch = 512;
        spec.training.microBatch = 4;
        if (change)
            change(spec);
        m_design->replace(spec);
        m_host = std::make_unique<QWidget>();
        m_host->resize(1400, 850);
        m_page = new DesignPage(*m_design, m_host.get());
        m_page->resize(1400, 850);
        m_host->show();
    }

    Theme m_theme;
    Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<Design> m_design;
    // A window of its own would give the offscreen platform its smallest size, which that warns about.
    std::unique_ptr<QWidget> m_host;
    DesignPage* m_page = nullptr;
};

} // namespace rankwright::test
