// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classplace.h"

#include <QDialog>

namespace rankwright {

class ClassPanel;

/// A class as its attendees will see it, over a design of its own: nothing of it can be launched, signed or kept, and
/// the window's design stays as it is. The one place where unsigned classes open.
class ClassPreviewDialog final : public QDialog {
    Q_OBJECT
public:
    ClassPreviewDialog(const Catalogue& catalogue, const ClassFile& file, QWidget* parent = nullptr);

    ClassPanel& panel() { return *m_panel; }
    const Design& design() const { return *m_design; }

signals:
    void termRequested(const QString& term, QWidget* at);

private:
    void goTo(int index, const JobSpec& spec);
    void useRules();
    void refresh();
    const ClassExercise& exercise() const { return m_file.exercises.at(m_place.index(m_file)); }

    const ClassFile m_file;
    ClassPlace m_place;
    Design* m_design = nullptr;
    ClassPanel* m_panel = nullptr;
};

} // namespace rankwright
