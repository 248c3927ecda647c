// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

class QMenu;

namespace rankwright {

class FaultField;

/// A button beside a line of field names: the fields of the Design page by their labels, in its groups; a chosen one is
/// added to the line, or taken out of it. The names of fields in a file need not be known.
class OpenFieldsChooser final : public QPushButton {
    Q_OBJECT
public:
    explicit OpenFieldsChooser(FaultField& field);

private:
    void fill();
    void setOpen(const QString& path, bool on);

    FaultField& m_field;
    QMenu* m_menu = nullptr;
};

} // namespace rankwright
