package io.github.lockboot.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Emphasis;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The pages as a reader of Markdown shows them.
 */
class RenderedPagesTests {

	private static final Parser PARSER = Parser.builder().extensions(List.of(TablesExtension.create())).build();

	private static final Pattern COMMENT = Pattern.compile("<!--.*?-->");

	private static final Pattern RAW = Pattern.compile("\\]\\(|\\*\\*|\\| ?---|<!--|```");

	private static final Pattern SOURCE = Pattern.compile("(?:src|srcset)=\"([^\"]+)\"");

	@Test
	void noPageShowsMarkdownAsSource() {
		for (Page page : Page.all()) {
			List<String> raw = new ArrayList<>();
			PARSER.parse(page.text()).accept(new AbstractVisitor() {

				@Override
				public void visit(Text text) {
					check(text.getLiteral());
				}

				@Override
				public void visit(HtmlBlock block) {
					check(block.getLiteral());
				}

				private void check(String shown) {
					String text = COMMENT.matcher(shown).replaceAll("");
					if (RAW.matcher(text).find() || (shown.startsWith("<!--") && !text.isBlank())) {
						raw.add(shown);
					}
				}

			});
			assertThat(raw).as("text of %s that is shown as it is written", page).isEmpty();
		}
	}

	@Test
	void noPageHasMoreThanTenSemicolonsOrColonsInAThousandWords() {
		int all = 0;
		for (Page page : Page.all().stream().filter((file) -> file.toString().endsWith(".md")).toList()) {
			String prose = prose(page);
			int words = prose.trim().split("\\s+").length;
			all += words;
			for (String mark : List.of(";", ":")) {
				assertThat(prose.split(mark, -1).length - 1).as("%s in %s words of %s", mark, words, page)
					.isLessThanOrEqualTo(words / 100);
			}
		}
		assertThat(all).as("words of all pages").isLessThan(40_000);
	}

	/** The text without examples, in which code in a sentence is one word. */
	private static String prose(Page page) {
		StringBuilder prose = new StringBuilder();
		PARSER.parse(page.text()).accept(new AbstractVisitor() {

			@Override
			public void visit(Text text) {
				prose.append(text.getLiteral());
			}

			@Override
			public void visit(Code code) {
				prose.append("code");
			}

			@Override
			protected void visitChildren(Node node) {
				super.visitChildren(node);
				if (!(node instanceof Link || node instanceof Emphasis || node instanceof StrongEmphasis)) {
					prose.append(' ');
				}
			}

			@Override
			public void visit(SoftLineBreak line) {
				prose.append(' ');
			}

		});
		return prose.toString();
	}

	@Test
	void imagesExist() {
		for (Page page : Page.all()) {
			PARSER.parse(page.text()).accept(new AbstractVisitor() {

				@Override
				public void visit(Image image) {
					page.follow(image.getDestination());
				}

				@Override
				public void visit(HtmlBlock block) {
					followAll(block.getLiteral());
				}

				@Override
				public void visit(HtmlInline inline) {
					followAll(inline.getLiteral());
				}

				private void followAll(String html) {
					SOURCE.matcher(html).results().forEach((source) -> page.follow(source.group(1)));
				}

			});
		}
	}

}
