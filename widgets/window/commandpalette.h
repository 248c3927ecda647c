// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/palette/paletteentry.h"

#include <QFrame>
#include <QPointer>

class QLabel;
class QLineEdit;
class QListView;

namespace rankwright {

class PaletteModel;

/// A field over the window, below it all that answers what is typed. Up and Down choose, Enter runs, Esc gives the
/// focus back to where it was; what is off says why and stays. Knows entries by their ids and runs none itself.
class CommandPalette final : public QFrame {
    Q_OBJECT
public:
    explicit CommandPalette(QWidget* window);
    ~CommandPalette() override;

    /// `recent`: ids of what was used lately, the latest first.
    void open(const QList<PaletteEntry>& entries, const QStringList& recent);
    void dismiss(); ///< and the focus goes back
    QString selectedId() const; ///< empty: nothing answers

signals:
    void chosen(const QString& id); ///< the palette is closed, the focus back

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);
    void search();
    void select(int row);
    void step(int steps);
    void choose();
    void describeChoice();
    void placePalette();
    void closePalette(bool giveBack);

    QWidget* m_window = nullptr;
    PaletteModel* m_model = nullptr;
    QLineEdit* m_field = nullptr;
    QListView* m_list = nullptr;
    QLabel* m_line = nullptr;
    QPointer<QWidget> m_before; ///< had the focus
};

} // namespace rankwright
