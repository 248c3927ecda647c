// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/segmentedcontrol.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QToolButton>

namespace rankwright {

using namespace Qt::StringLiterals;

SegmentedControl::SegmentedControl(const QStringList& labels, QWidget* parent)
    : QWidget(parent), m_group(new QButtonGroup(this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    for (int i = 0; i < labels.size(); ++i) {
        auto* button = new QToolButton(this);
        button->setText(labels.at(i));
        button->setAccessibleName(labels.at(i));
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        const bool last = i + 1 == labels.size();
        button->setProperty("segment",
            labels.size() == 1 ? u"only"_s
                : i == 0       ? u"first"_s
                : last         ? u"last"_s
                               : u"middle"_s);
        m_group->addButton(button, i);
        row->addWidget(button);
    }
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    if (auto* first = m_group->button(0))
        setFocusProxy(first);
    // Only a change that a person made: setCurrent() goes through toggled, never through clicked. Arrow keys click.
    connect(m_group, &QButtonGroup::idClicked, this, &SegmentedControl::chosen);
}

int SegmentedControl::current() const { return m_group->checkedId(); }

void SegmentedControl::setCurrent(int index)
{
    if (index == current())
        return;
    if (auto* button = m_group->button(index)) {
        button->setChecked(true);
        setFocusProxy(button);
        return;
    }
    m_group->setExclusive(false);
    for (auto* button : m_group->buttons())
        button->setChecked(false);
    m_group->setExclusive(true);
}

int SegmentedControl::count() const { return int(m_group->buttons().size()); }

void SegmentedControl::setSegmentToolTip(int index, const QString& text)
{
    if (auto* button = m_group->button(index))
        button->setToolTip(text);
}

void SegmentedControl::setSegmentEnabled(int index, bool enabled)
{
    if (auto* button = m_group->button(index))
        button->setEnabled(enabled);
}

} // namespace rankwright
