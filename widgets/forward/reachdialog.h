// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/forward/servicefinder.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QTabWidget;
class QTreeWidget;

namespace rankwright {

/// What of a job can be reached from here.
struct ReachSubject {
    QString job;
    QString cluster; ///< its title
    QStringList nodes;
    QList<FoundService> services; ///< that its output speaks of
    QString terminal; ///< chosen by the user; empty: whichever is found
};

/// A forwarded port, as the list shows it.
struct ForwardRow {
    quint64 id = 0;
    QString here; ///< "127.0.0.1:6006"
    QString there; ///< "n2, port 6006"
    QString job;
    QString state; ///< a sentence
    bool isActive = false;
    bool isTroubled = false;
};

/// "Ports and shell": brings ports of a job's nodes to this computer, lists those that are there, opens a shell on a
/// node, and has the lines for other programs to copy. Shows values; asks by signals.
class ReachDialog final : public QDialog {
    Q_OBJECT
public:
    enum class Page { Ports, Shell };

    explicit ReachDialog(QWidget* parent = nullptr);

    void showSubject(const ReachSubject& subject);
    void setServices(const QList<FoundService>& services);
    /// This one of the subject's nodes is meant, whatever its output says.
    void setNode(const QString& node);
    void setPage(Page page);
    void showForwards(const QList<ForwardRow>& rows);
    /// Lines for the chosen node: the shell's own, VS Code's, OpenSSH's.
    void showLines(const QString& shell, const QString& editor, const QString& config);
    /// One sentence below: what became of a request. Empty: nothing.
    void report(const QString& text);
    void reportTrouble(const QString& text);
    QString node() const;

signals:
    void nodeChosen(const QString& node);
    void forwardRequested(const QString& node, int port, int localPort); ///< localPort 0: the same or the next free
    void stopRequested(quint64 id);
    void openRequested(quint64 id);
    void copyRequested(quint64 id);
    void shellRequested(const QString& node);
    void terminalChosen(const QString& line);
    void lineCopied(const QString& text);

private:
    void showReport(const QString& text);
    QWidget* buildPorts();
    QWidget* buildShell();
    QWidget* buildCopy(const QString& title, QPlainTextEdit*& text, int lines);
    void fillServices();
    void chooseService(int index);
    void selectNode(const QString& node);
    void refreshButtons();
    quint64 selectedId() const;

    ReachSubject m_subject;
    QList<ForwardRow> m_rows;
    bool m_isChosen = false; ///< by a person: what the output says later changes nothing
    bool m_isNodeChosen = false;
    QLabel* m_title = nullptr;
    QComboBox* m_node = nullptr;
    QTabWidget* m_tabs = nullptr;
    QComboBox* m_service = nullptr;
    QSpinBox* m_port = nullptr;
    QSpinBox* m_localPort = nullptr;
    QTreeWidget* m_list = nullptr;
    QPushButton* m_open = nullptr;
    QPushButton* m_copy = nullptr;
    QPushButton* m_stop = nullptr;
    QLineEdit* m_terminal = nullptr;
    QPlainTextEdit* m_shellLine = nullptr;
    QPlainTextEdit* m_editorLine = nullptr;
    QPlainTextEdit* m_config = nullptr;
    QLabel* m_report = nullptr;
};

} // namespace rankwright
