// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/learn/termtext.h"

#include <QLabel>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextDocumentFragment>

namespace rankwright {

using namespace Qt::StringLiterals;

void setTermText(QLabel* label, const QString& text, KnownWords words)
{
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    label->setText(termLinks(text, words));
    // Its links take the focus: what it says is its name.
    label->setAccessibleName(QTextDocumentFragment::fromHtml(label->text()).toPlainText());
    dotTermLinks(label);
}

void dotTermLinks(QLabel* label)
{
    // HTML of a label has no dotted underline; the document behind it has. It is filled when the label is measured.
    label->sizeHint();
    auto* document = label->findChild<QTextDocument*>();
    if (document == nullptr)
        return;
    for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
        // Positions first: a change of format makes new fragments.
        QList<std::pair<int, int>> links;
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            const QTextFragment fragment = part.fragment();
            if (fragment.charFormat().anchorHref().startsWith("term:"_L1))
                links.append({fragment.position(), fragment.length()});
        }
        for (const auto& [position, length] : links) {
            QTextCursor cursor(document);
            cursor.setPosition(position);
            cursor.setPosition(position + length, QTextCursor::KeepAnchor);
            QTextCharFormat dotted;
            dotted.setUnderlineStyle(QTextCharFormat::DotLine);
            cursor.mergeCharFormat(dotted);
        }
    }
}

} // namespace rankwright
