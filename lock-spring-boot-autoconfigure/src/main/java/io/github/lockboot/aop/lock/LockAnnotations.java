package io.github.lockboot.aop.lock;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.KotlinDetector;
import org.springframework.util.StringValueResolver;

import io.github.lockboot.Internal;
import io.github.lockboot.annotation.InvalidLockAnnotationException;
import io.github.lockboot.aop.AnnotatedMethod;
import io.github.lockboot.aop.AnnotatedMethodAdvisor;
import io.github.lockboot.aop.AnnotatedMethodSource;
import io.github.lockboot.aop.DeclarationFinder;
import io.github.lockboot.aop.MethodNames;
import io.github.lockboot.aop.ProxyCheck;
import io.github.lockboot.aop.TransactionOrder;
import io.github.lockboot.expression.MethodExpressionParser;

/**
 * Wires {@code @DistributedLock} into an application: gives the advisor, and a report on
 * the annotated methods once the application has started. Until it is closed with the
 * application context.
 *
 * @since 1.0.0
 */
@Internal
public final class LockAnnotations implements AutoCloseable {

	private final ConfigurableListableBeanFactory beanFactory;

	private final DeclarationFinder<LockDeclaration> finder = LockDeclaration.finder();

	private final AnnotatedMethodSource<LockDeclaration, LockAttributes> methods;

	private final DistributedLockInterceptor interceptor;

	private final int order;

	private final SectionRunner sections;

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
		this.sections = SectionRunner.of(beanFactory, keepUntilCompletion);
		LockAttributesParser parser = new LockAttributesParser(new MethodExpressionParser(beanFactory, placeholders),
				placeholders, defaults, this.templates,
				new FallbackFinder(beanFactory, this.finder, placeholders, () -> this.woven),
				new LockedCalls(this.templates, this.sections, executor));
		this.methods = new AnnotatedMethodSource<>(this.finder, parser::parse);
		this.interceptor = new DistributedLockInterceptor(this.methods);
	}

	/**
	 * Return what lets the commit of a transaction fail if a lock was lost under which it
	 * ran.
	 */
	public BeanPostProcessor commitCheck() {
		return this.sections;
	}

	/**
	 * Return what validates the arguments of a method before its lock is taken. Only
	 * where Jakarta Validation is present.
	 */
	public BeanPostProcessor validationBeforeLock() {
		return new ValidationBeforeLock(this.interceptor);
	}

	/** Return the advisor that locks annotated methods. */
	public Advisor advisor() {
		return new AnnotatedMethodAdvisor(this.finder, this.interceptor, this.order, "lock",
				InvalidLockAnnotationException::new);
	}

	/** Let AspectJ lock annotated methods, and no proxy. */
	public LockWeaving weave() {
		this.woven = true;
		return new LockWeaving((call) -> {
			if (KotlinDetector.isSuspendingFunction(call.getMethod())) {
				throw new InvalidLockAnnotationException(
						List.of(MethodNames.describe(call.getMethod()) + " " + LockedMethodCheck.SUSPENDING));
			}
			return this.interceptor.invoke(call);
		});
	}

	/**
	 * Let methods pass that AspectJ has woven nevertheless, because proxies lock them, or
	 * nobody.
	 */
	public LockWeaving doNotWeave() {
		return new LockWeaving(MethodInvocation::proceed);
	}

	/** Look at all beans of the application. Makes none of them. */
	public LockAnnotationsReport report() {
		LockedMethodCheck check = new LockedMethodCheck(this.methods, this.templates,
				new ProxyCheck(this.interceptor, "lock", "locked"), this.woven);
		return new LockAnnotationsReport(this.finder.findAll(this.beanFactory), this.methods, this.templates, check,
				this.woven, this::transactionProblem);
	}

	private @Nullable String transactionProblem(List<AnnotatedMethod<LockDeclaration>> locked) {
		if (!TransactionOrder.TRANSACTIONS || locked.isEmpty()) {
			return null;
		}
		if (!this.woven) {
			return TransactionOrder.problem(this.beanFactory, "@DistributedLock", this.order,
					"the lock would be given back", "lock.aspect.order");
		}
		// what is woven into a method is inside of all its proxies
		return TransactionOrder.transactional(this.beanFactory, locked)
			.stream()
			.map((method) -> method.describe() + " has a transaction by a proxy, which begins before its woven lock is"
					+ " taken: set mode = ASPECTJ at @EnableTransactionManagement, or lock.aspect.mode=proxy")
			.findFirst()
			.orElse(null);
	}

	@Override
	public void close() {
		this.templates.close();
	}

}
