package io.github.lockboot.test;

import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/**
 * Clears the journal and releases the locks of the other node before and after each test,
 * because tests may share an application.
 */
final class LockTestExecutionListener implements TestExecutionListener, Ordered {

	/** Return an order before that of Spring's listener that closes contexts. */
	@Override
	public int getOrder() {
		return 5000;
	}

	@Override
	public void beforeTestMethod(TestContext test) {
		cleanUp(test);
	}

	@Override
	public void afterTestMethod(TestContext test) {
		cleanUp(test);
	}

	private static void cleanUp(TestContext test) {
		if (test.hasApplicationContext()) {
			ApplicationContext application = test.getApplicationContext();
			application.getBeanProvider(OtherNode.class).forEach(OtherNode::releaseAll);
			application.getBeanProvider(LockJournal.class).forEach((journal) -> {
				journal.record();
				journal.clear();
			});
		}
	}

}
