// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/classroom/openfieldschooser.h"

#include "widgets/classroom/faultfield.h"
#include "widgets/form/designfields.h"

#include <QMap>
#include <QMenu>
#include <QRegularExpression>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QStringList pathsOf(const QString& text)
{
    static const QRegularExpression between(u"[,\\s]+"_s);
    return text.split(between, Qt::SkipEmptyParts);
}

/// What every class says by itself, or no exercise is about.
bool isOfTheClass(const FieldPath& path) { return path == field::cluster; }

} // namespace

OpenFieldsChooser::OpenFieldsChooser(FaultField& field)
    : QPushButton(tr("Choose …"), &field), m_field(field), m_menu(new QMenu(this))
{
    setAutoDefault(false);
    setMenu(m_menu);
    setToolTip(tr("The fields of the Design page by their names there"));
    connect(m_menu, &QMenu::aboutToShow, this, &OpenFieldsChooser::fill);
    field.addBeside(this);
}

void OpenFieldsChooser::fill()
{
    m_menu->clear();
    const QStringList open = pathsOf(m_field.text());
    QMap<FieldGroup, QMenu*> groups;
    for (const DesignField& field : designFields()) {
        if (field.label.isEmpty() || isOfTheClass(field.path))
            continue;
        QMenu*& group = groups[field.group];
        if (!group)
            group = m_menu->addMenu(groupTitle(field.group));
        QAction* action = group->addAction(field.label);
        action->setCheckable(true);
        action->setChecked(open.contains(field.path));
        connect(action, &QAction::toggled, this, [this, path = field.path](bool on) { setOpen(path, on); });
    }
}

void OpenFieldsChooser::setOpen(const QString& path, bool on)
{
    QStringList paths = pathsOf(m_field.text());
    paths.removeAll(path);
    if (on)
        paths.append(path);
    m_field.setText(paths.join(u' '));
    emit m_field.edited();
}

} // namespace rankwright
