package io.github.lockboot.annotation;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.StringValueResolver;

import io.github.lockboot.Internal;
import io.github.lockboot.expression.KeyExpressionParser;

/**
 * Wires {@link DistributedLock @DistributedLock} into an application: gives the advisor,
 * and a report on the annotated methods once the application has started. Until it is
 * closed with the application context.
 *
 * @since 1.0.0
 */
@Internal
public final class LockAnnotations implements AutoCloseable {

	private final LockDeclarationFinder finder = new LockDeclarationFinder();

	private final ConfigurableListableBeanFactory beanFactory;

	private final LockAttributesSource attributes;

	private final DistributedLockInterceptor interceptor;

	private final int order;

	private final TransactionSupport transactions;

	private final LockTemplates templates;

	private volatile boolean woven;

	/**
	 * Create the wiring. Makes no bean of the application.
	 * @param beanFactory the beans of the application
	 * @param placeholders resolves <code>${}</code> and throws
	 * {@link IllegalArgumentException} where it can't
	 * @param defaults what an annotation that says nothing gets, by its name; asked when
	 * a method is first called or checked
	 * @param order order of the advisor; lower is further outside
	 * @param keepUntilCompletion whether a lock that is taken inside a caller's
	 * transaction is kept until that one is completed
	 * @param executor where methods that return a stage run, and where their callers go
	 * on; must refuse no task, since locks hang on them
	 */
	public LockAnnotations(ConfigurableListableBeanFactory beanFactory, StringValueResolver placeholders,
			Function<String, LockedMethodDefaults> defaults, int order, boolean keepUntilCompletion,
			Executor executor) {
		this.beanFactory = beanFactory;
		this.order = order;
		this.templates = new LockTemplates(beanFactory);
		this.attributes = new LockAttributesSource(this.finder,
				new LockAttributesParser(new KeyExpressionParser(beanFactory, placeholders), placeholders, defaults,
						this.templates,
						new RefusalParser(new FallbackFinder(beanFactory, this.finder, placeholders, () -> this.woven)),
						new ResultKinds(executor)));
		this.transactions = TransactionSupport.of(beanFactory, keepUntilCompletion);
		this.interceptor = new DistributedLockInterceptor(this.attributes, this.templates,
				this.transactions.sections());
	}

	/**
	 * Return what lets the commit of a transaction fail if a lock was lost under which it
	 * ran.
	 * @return a processor that puts it into every transaction manager
	 */
	public BeanPostProcessor commitCheck() {
		return this.transactions.commitCheck();
	}

	/**
	 * Return what validates the arguments of a method before its lock is taken. Only
	 * where Jakarta Validation is present.
	 * @return a processor that adds this to the proxies of locked methods
	 */
	public BeanPostProcessor validationBeforeLock() {
		return new ValidationBeforeLock(this.interceptor);
	}

	/**
	 * Return the advisor that locks annotated methods.
	 * @return a new advisor
	 */
	public Advisor advisor() {
		return new DistributedLockAdvisor(this.finder, this.interceptor, this.order);
	}

	/**
	 * Let AspectJ lock annotated methods, and no proxy.
	 * @return what wires the aspect
	 */
	public LockWeaving weave() {
		this.woven = true;
		return new LockWeaving(() -> DistributedLockAspect.locking(this.interceptor));
	}

	/**
	 * Let methods pass that AspectJ has woven nevertheless, because proxies lock them, or
	 * nobody.
	 * @return what wires the aspect
	 */
	public LockWeaving doNotWeave() {
		return new LockWeaving(DistributedLockAspect::passing);
	}

	/**
	 * Look at all beans of the application. Makes none of them.
	 * @return what there is to be said about the annotated methods
	 */
	public LockAnnotationsReport report() {
		LockedMethodCheck check = new LockedMethodCheck(this.attributes, this.templates, this.interceptor, this.woven);
		return new LockAnnotationsReport(this, new LockedMethods(this.beanFactory, this.finder).findAll(), check);
	}

	@Override
	public void close() {
		this.templates.close();
	}

	boolean isWoven() {
		return this.woven;
	}

	@Nullable String transactionProblem(List<LockedMethod> methods) {
		if (!TransactionSupport.PRESENT || methods.isEmpty()) {
			return null;
		}
		return this.woven ? TransactionOrderCheck.problemOfWoven(this.beanFactory, methods)
				: TransactionOrderCheck.problem(this.beanFactory, this.order);
	}

	List<String> selfInvocations(List<LockedMethod> methods) {
		return this.woven ? List.of() : new SelfInvocationCheck(this.attributes).problemsOf(methods);
	}

	@Nullable String nameOf(LockedMethod method) {
		return this.attributes.nameOf(method);
	}

	LockTemplates templates() {
		return this.templates;
	}

}
