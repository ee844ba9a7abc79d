package io.github.lockboot.aop.lock;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.KotlinDetector;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

import io.github.lockboot.Internal;
import io.github.lockboot.annotation.InvalidLockAnnotationException;
import io.github.lockboot.aop.AnnotatedMethod;
import io.github.lockboot.aop.AnnotatedMethodAdvisor;
import io.github.lockboot.aop.AnnotatedMethodInterceptor;
import io.github.lockboot.aop.DeclarationFinder;
import io.github.lockboot.aop.MethodNames;
import io.github.lockboot.aop.TransactionOrder;
import io.github.lockboot.expression.MethodExpressionParser;

/**
 * Connects {@code @DistributedLock} with an application. This class provides the advisor,
 * and a report on the annotated methods once the application has started. It is closed
 * with the application context.
 */
@Internal
public final class LockAnnotations implements AutoCloseable {

	private final ConfigurableListableBeanFactory beanFactory;

	private final DeclarationFinder<LockDeclaration> finder = LockDeclaration.finder();

	private final AnnotatedMethodInterceptor<LockDeclaration, LockedMethod> interceptor;

	private final int order;

	private final @Nullable TransactionalSections transactions;

	private final TemplateLookup templates;

	private final Reruns reruns;

	private volatile boolean woven;

	/** Takes the reports on beans that are created after the check at the start. */
	private volatile @Nullable Consumer<LockAnnotationsReport> late;

	private final Set<Class<?>> checkedLate = ConcurrentHashMap.newKeySet();

	private final List<AnnotatedMethod<LockDeclaration>> innerBeans = new CopyOnWriteArrayList<>();

	private final Set<String> selfInvocations = ConcurrentHashMap.newKeySet();

	/**
	 * Create the advice, without creating a bean of the application.
	 * @param placeholders resolves <code>${}</code> and throws
	 * {@link IllegalArgumentException} for an unknown placeholder
	 * @param defaults returns the defaults of annotations with a given name; called when
	 * a method is first called or checked
	 * @param order order of the advisor; an advisor with a lower order is outside
	 * @param keepUntilCompletion whether a lock that is acquired inside a caller's
	 * transaction is held until the transaction is completed
	 * @param executor where methods that return a stage run, and where their callers
	 * continue; must not reject a task, which would leave its lock held
	 */
	public LockAnnotations(ConfigurableListableBeanFactory beanFactory, StringValueResolver placeholders,
			Function<String, LockedMethodDefaults> defaults, int order, boolean keepUntilCompletion,
			Executor executor) {
		this.beanFactory = beanFactory;
		this.order = order;
		this.templates = new TemplateLookup(beanFactory);
		this.transactions = TransactionOrder.TRANSACTIONS ? new TransactionalSections(beanFactory, keepUntilCompletion)
				: null;
		this.reruns = new Reruns(executor);
		LockedMethodParser parser = new LockedMethodParser(new MethodExpressionParser(beanFactory, placeholders),
				placeholders, defaults, this.templates,
				new FallbackFinder(beanFactory, this.finder, placeholders, () -> this.woven), this.transactions,
				executor, this.reruns, this::beanWith);
		this.interceptor = new AnnotatedMethodInterceptor<>(this.finder, parser::parse);
	}

	/**
	 * Return the post-processor that makes the commit of a transaction fail if a lock
	 * that protects the transaction was lost.
	 */
	public BeanPostProcessor commitCheck() {
		return (this.transactions != null) ? this.transactions : new BeanPostProcessor() {
		};
	}

	/**
	 * Return the post-processor that validates the arguments of a method before its lock
	 * is acquired. Jakarta Validation must be present.
	 */
	public BeanPostProcessor validationBeforeLock() {
		return new ValidationBeforeLock(this.interceptor);
	}

	/**
	 * Return the post-processor that checks beans that are created after the start, such
	 * as lazy beans and prototypes, whose classes the start may not have known. It keeps
	 * the inner beans of other beans for the start, which does not know their names.
	 */
	public BeanPostProcessor lateCheck() {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String beanName) {
				Consumer<LockAnnotationsReport> reports = LockAnnotations.this.late;
				Class<?> type = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
				if (bean instanceof ScopedObject || !LockAnnotations.this.finder.isCandidate(type)
						|| LockAnnotations.this.checkedLate.contains(type)) {
					return bean;
				}
				if (reports != null) {
					reports.accept(report(methods(type, bean, beanName)));
					LockAnnotations.this.checkedLate.add(type);
				}
				else if (!LockAnnotations.this.beanFactory.containsBean(beanName)) {
					LockAnnotations.this.innerBeans.addAll(methods(type, bean, beanName));
				}
				return bean;
			}

		};
	}

	private List<AnnotatedMethod<LockDeclaration>> methods(Class<?> type, Object bean, String beanName) {
		return AnnotatedMethod.find(beanName, type, bean, this.finder::find).toList();
	}

	/** Check also the beans that are created from now on. */
	public void checkLater(Consumer<LockAnnotationsReport> reports) {
		this.late = reports;
	}

	/** Return the advisor that locks annotated methods for their calls. */
	public Advisor advisor() {
		return new AnnotatedMethodAdvisor<>(this.finder, LockDeclaration::isOfCall, this.interceptor, this.order,
				this.beanFactory);
	}

	/**
	 * Return the advisor that locks annotated methods until their transactions have
	 * ended. This advisor has to be inside the advisor of the transactions.
	 */
	public Advisor transactionAdvisor() {
		return new AnnotatedMethodAdvisor<>(this.finder, LockDeclaration::isOfTransaction, this.interceptor,
				Ordered.LOWEST_PRECEDENCE, this.beanFactory);
	}

	/** Return the runs that begin later, which end with the application. */
	public Reruns reruns() {
		return this.reruns;
	}

	/** Return the bean that has an annotated method. */
	private Object beanWith(Method method) {
		return this.finder.findAll(this.beanFactory)
			.stream()
			.filter((found) -> found.describe().equals(MethodNames.describe(method)))
			.map((found) -> this.beanFactory.getBean(found.beanName()))
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("No bean has " + method));
	}

	/**
	 * Report methods whose transaction begins or commits after the loss of their lock,
	 * although they have never asked whether they still hold it, for a rehearsal.
	 * @param ignored takes the method, and what its transaction did
	 * @return takes the lock of each question, on the thread that asks
	 */
	public Consumer<String> findIgnoredLosses(BiConsumer<String, String> ignored) {
		TransactionalSections sections = this.transactions;
		if (sections == null) {
			return (lock) -> {
			};
		}
		sections.onIgnoredLoss(ignored);
		return sections::checked;
	}

	/** Let AspectJ lock annotated methods instead of proxies. */
	public LockWeaving weave() {
		this.woven = true;
		return new LockWeaving((call) -> {
			if (KotlinDetector.isSuspendingFunction(call.getMethod())) {
				throw new InvalidLockAnnotationException(
						List.of(MethodNames.describe(call.getMethod()) + " " + LockAnnotationsReport.SUSPENDING));
			}
			return this.interceptor.invoke(call);
		});
	}

	/**
	 * Let methods that AspectJ has woven proceed, because proxies lock these methods, or
	 * because locks are disabled.
	 */
	public LockWeaving doNotWeave() {
		return new LockWeaving(MethodInvocation::proceed);
	}

	/** Return the calls past the proxies that this method has not returned before. */
	public List<String> selfInvocations(LockAnnotationsReport report) {
		return report.selfInvocations().stream().filter(this.selfInvocations::add).toList();
	}

	public LockAnnotationsReport report() {
		return report(Stream.concat(this.finder.findAll(this.beanFactory).stream(), this.innerBeans.stream()).toList());
	}

	private LockAnnotationsReport report(List<AnnotatedMethod<LockDeclaration>> methods) {
		return new LockAnnotationsReport(this.beanFactory, methods, this.interceptor, this.templates, this.woven,
				this.order);
	}

	/**
	 * Return why annotated methods of a child context, which has no locking proxies of
	 * its own, would run unlocked.
	 */
	public List<String> unlockedIn(ConfigurableListableBeanFactory child) {
		return this.woven ? List.of()
				: this.finder.findAll(child)
					.stream()
					.map((method) -> method.describe() + " is in a child context, in which no proxy locks the"
							+ " method: add the auto-configurations to the child context, too")
					.toList();
	}

	@Override
	public void close() {
		this.reruns.close();
		this.templates.close();
	}

}
